import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { SecretField } from '../../parts/access/secret-field.js';
import { Dialog } from '../../parts/form/dialog.js';
import { Field } from '../../parts/form/field.js';
import { FormEnd } from '../../parts/form/form-end.js';
import { makePasskey } from '../../parts/passkeys/browser-passkeys.js';
import { usePasskeyTask } from '../../parts/passkeys/use-passkey-task.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { accessTexts } from '../../texts/topics/access.js';
import { passkeyTexts } from '../../texts/topics/passkeys.js';

/** Adds a passkey. The password proves that the signed-in user asks for it; then the browser makes it. */
export function PasskeyDialog({ onClose }: { readonly onClose: (isAdded: boolean) => void }): VNode {
  const { client, toasts } = usePage();
  const words = useTopic(passkeyTexts);
  const { currentMissing, currentWrong } = useTopic(accessTexts);
  const label = useSignal('');
  const password = useSignal('');
  const missing = useSignal<'label' | 'password' | undefined>(undefined);
  const task = usePasskeyTask({
    ...{ SIGN_IN_REFUSED: currentWrong, NOT_ALLOWED: words.elsewhere },
    ...{ INVALID_PASSKEY: words.invalid, ACCESS_LIMIT_REACHED: words.tooMany },
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    task.fail(undefined);
    const name = label.value.trim();
    missing.value = name === '' ? 'label' : password.value === '' ? 'password' : undefined;
    if (missing.value !== undefined) return;
    const isDone = await task.run(async () => {
      const options = await client.requestPasskey(password.value);
      await client.addPasskey(name, await makePasskey(options));
    });
    if (!isDone) return;
    password.value = '';
    toasts.show({ kind: 'done', text: words.added(name) });
    onClose(true);
  };
  return (
    <Dialog title={words.add} onClose={() => onClose(false)}>
      <form class="stack" method="post" onSubmit={(event) => void submit(event)} noValidate>
        <Field
          label={words.label}
          value={label.value}
          hint={words.labelHint}
          maxLength={100}
          error={missing.value === 'label' ? words.labelMissing : undefined}
          onInput={(value) => (label.value = value)}
          autoFocus
        />
        <SecretField
          label={words.password}
          value={password}
          purpose="current-password"
          hint={words.passwordHint}
          error={missing.value === 'password' ? currentMissing : undefined}
        />
        <FormEnd task={task} label={words.add} onCancel={() => onClose(false)} />
      </form>
    </Dialog>
  );
}
