import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePage } from '../page-context.js';
import { Icon } from './icon.js';

/** How long a message stays, in milliseconds; a message with a button stays longer. */
const STAYS_MS = 6_000;
const STAYS_WITH_ACTION_MS = 15_000;

/** Shows and announces the latest message. */
export function ToastArea(): VNode {
  const { toasts, texts } = usePage();
  const toast = toasts.current.value;
  useEffect(() => {
    if (toast === undefined) return undefined;
    const stays = toast.action === undefined ? STAYS_MS : STAYS_WITH_ACTION_MS;
    const timer = setTimeout(() => toasts.dismiss(toast), stays);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div class="toasts no-print" role="status">
      {toast === undefined ? undefined : (
        <div class={`toast toast-${toast.kind}`} key={toast.number}>
          <p>{toast.text}</p>
          {toast.action === undefined ? undefined : (
            <button
              type="button"
              class="button"
              onClick={() => {
                toast.action?.run();
                toasts.dismiss(toast);
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button
            type="button"
            class="button-plain"
            aria-label={texts.app.close}
            onClick={() => toasts.dismiss(toast)}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
