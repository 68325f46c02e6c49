import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { NewPasswordFields, SecretField, useNewPassword } from '../../parts/access/secret-field.js';
import { useTask } from '../../parts/use-requests.js';
import { FormEnd } from '../../parts/form/dialog.js';
import { useTopic } from '../../parts/words.js';
import { signInTexts } from '../../texts/topics/sign-in.js';
import { FrontDoor } from './sign-in-page.js';

/** Makes the first administrator of an unclaimed service. */
export function SetupPage(): VNode {
  const { access, client } = usePage();
  const texts = useTopic(signInTexts);
  const code = useSignal('');
  const name = useSignal('');
  const wrong = useSignal<'code' | 'name' | undefined>(undefined);
  const chosen = useNewPassword();
  const task = useTask({
    SETUP_REFUSED: texts.codeWrong,
    ALREADY_CLAIMED: texts.claimed,
    INVALID_PASSWORD: texts.tooCommon,
    INVALID_USER: texts.nameRule,
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    task.fail(undefined);
    const isPasswordRight = chosen.check();
    wrong.value = code.value.trim() === '' ? 'code' : name.value.trim() === '' ? 'name' : undefined;
    if (!isPasswordRight || wrong.value !== undefined) return;
    await task.run(async () => {
      const { value: password } = chosen.password;
      access.take(await client.setUp(code.value.trim(), name.value.trim(), password));
    });
  };
  return (
    <FrontDoor title={texts.setupTitle}>
      <p>{texts.setupHint}</p>
      <form class="stack" method="post" onSubmit={(event) => void submit(event)} noValidate>
        <SecretField
          label={texts.code}
          value={code}
          purpose="one-time-code"
          hint={texts.codeHint}
          error={wrong.value === 'code' ? texts.codeMissing : undefined}
          autoFocus
        />
        <SecretField
          label={texts.name}
          value={name}
          purpose="username"
          error={wrong.value === 'name' ? texts.nameMissing : undefined}
        />
        <NewPasswordFields of={chosen} />
        <FormEnd task={task} label={texts.setUp} />
      </form>
    </FrontDoor>
  );
}
