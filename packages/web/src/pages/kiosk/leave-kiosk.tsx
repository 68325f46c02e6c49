import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.js';
import { Icon } from '../../parts/icon.js';

/** Signs out a screen at the door after a confirmation: somebody passing by may have touched it. */
export function LeaveKiosk(): VNode {
  const { access, texts } = usePage();
  const isAsking = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="kiosk-leave"
        aria-haspopup="dialog"
        aria-label={texts.access.signOut}
        onClick={() => (isAsking.value = true)}
      >
        <Icon name="close" />
      </button>
      {isAsking.value && (
        <ConfirmDialog
          title={`${texts.access.signOut}?`}
          confirm={texts.access.signOut}
          run={() => access.leave()}
          onClose={() => (isAsking.value = false)}
        >
          <p>{texts.access.kioskHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
