import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { NewPasswordFields, SecretField, useNewPassword } from '../../parts/form/secret-field.js';
import { useTask } from '../../parts/use-requests.js';
import { Form } from '../../parts/form/dialog.js';
import { forgetFirstSteps } from '../../state/first-steps.js';
import { signInTexts } from '../../texts/topics/sign-in.js';
import { FrontDoor } from './sign-in-page.js';

/** Makes the first administrator of an unclaimed service. */
export function SetupPage(): VNode {
  const { access, client, session } = usePage();
  const { words: texts } = usePage(signInTexts);
  const code = useSignal('');
  const name = useSignal('');
  const task = useTask({ SETUP_REFUSED: texts.codeWrong, ALREADY_CLAIMED: texts.claimed });
  const chosen = useNewPassword(task);
  const submit = async (): Promise<void> => {
    if (code.value.trim() === '') task.fail(texts.codeMissing, 'code');
    else if (name.value.trim() === '') task.fail(texts.nameMissing, 'name');
    else if (chosen.check())
      await task.run(async () => {
        const { value: password } = chosen.password;
        const made = await client.post('/api/setup', {
          body: { code: code.value.trim(), name: name.value.trim(), password: password },
        });
        forgetFirstSteps(session.store);
        access.take(made);
      });
  };
  return (
    <FrontDoor title={texts.setupTitle}>
      <p>{texts.setupHint}</p>
      <Form task={task} label={texts.setUp} onSubmit={submit}>
        <SecretField
          label={texts.code}
          value={code}
          purpose="one-time-code"
          hint={texts.codeHint}
          error={task.errorOf('code')}
          autoFocus
        />
        <SecretField
          label={texts.name}
          value={name}
          purpose="username"
          hint={texts.nameHint}
          error={task.errorOf('name')}
        />
        <NewPasswordFields of={chosen} />
      </Form>
    </FrontDoor>
  );
}
