import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Dialog } from '../../parts/form/dialog.js';
import { SignInForm } from './sign-in-form.js';

/** Signs in again, in a dialog above a form that somebody is typing into. */
export function SignInDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const { access, texts } = usePage();
  return (
    <Dialog title={texts.access.goOn} onClose={onClose}>
      <SignInForm
        name={access.info.value?.user?.name ?? ''}
        onSignedIn={(info) => {
          access.take(info);
          onClose();
        }}
      />
    </Dialog>
  );
}
