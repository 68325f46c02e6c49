import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { NewPasswordFields, useNewPassword } from '../../parts/access/new-password.js';
import { SecretField } from '../../parts/access/secret-field.js';
import { useTask } from '../../parts/access/use-task.js';
import { FormEnd } from '../../parts/form/form-end.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { accessTexts } from '../../texts/topics/access.js';

/** Changes one's own password. */
export function OwnPassword(): VNode {
  const { access, client, toasts } = usePage();
  const words = useTopic(accessTexts);
  const current = useSignal('');
  const isMissing = useSignal(false);
  const chosen = useNewPassword();
  const task = useTask({
    SIGN_IN_REFUSED: words.currentWrong,
    INVALID_PASSWORD: words.badPassword,
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    task.fail(undefined);
    isMissing.value = current.value === '';
    if (!chosen.check() || isMissing.value) return;
    const isDone = await task.run(() => client.changePassword(current.value, chosen.password.value));
    if (!isDone) return;
    current.value = '';
    chosen.password.value = '';
    chosen.again.value = '';
    toasts.show({ kind: 'done', text: words.changed });
  };
  return (
    <form class="stack" method="post" onSubmit={(event) => void submit(event)} noValidate>
      <p class="quiet">{words.ownPasswordHint}</p>
      {/* For password managers: the user of the password. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={access.info.value?.user?.name ?? ''}
        readOnly
        hidden
      />
      <SecretField
        label={words.current}
        value={current}
        purpose="current-password"
        error={isMissing.value ? words.currentMissing : undefined}
      />
      <NewPasswordFields of={chosen} />
      <FormEnd task={task} label={words.save} />
    </form>
  );
}
