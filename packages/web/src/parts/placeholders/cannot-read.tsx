import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';

/** Says that the service does not answer, with a button to try again if the page does not try by itself. */
export function CannotRead({ onTryAgain }: { readonly onTryAgain?: () => void }): VNode {
  const { texts } = usePage();
  return (
    <p class="notice notice-bad" role="alert">
      {texts.days.cannotRead}{' '}
      {onTryAgain && (
        <button type="button" class="button" onClick={onTryAgain}>
          {texts.app.tryAgain}
        </button>
      )}
    </p>
  );
}
