import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { ConfirmDialog } from '../../parts/form/dialog.js';
import { Button } from '../../parts/button.js';

/** Signs out a screen at the door after a confirmation: somebody passing by may have touched it. */
export function LeaveKiosk(): VNode {
  const { access, texts } = usePage();
  const isAsking = useSignal(false);
  return (
    <>
      <Button
        icon="close"
        class="kiosk-leave"
        opensDialog
        label={texts.access.signOut}
        onClick={() => (isAsking.value = true)}
      />
      {isAsking.value && (
        <ConfirmDialog
          title={`${texts.access.signOut}?`}
          label={texts.access.signOut}
          run={() => access.leave()}
          onClose={() => (isAsking.value = false)}
        >
          <p>{texts.access.kioskHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
