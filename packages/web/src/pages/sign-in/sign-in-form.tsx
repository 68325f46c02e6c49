import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { SecretField } from '../../parts/access/secret-field.js';
import { useTask } from '../../parts/access/use-task.js';
import { FormEnd } from '../../parts/form/form-end.js';
import { lazy } from '../../parts/placeholders/lazy.js';
import { useTopic } from '../../parts/words/use-topic.js';
import type { SessionInfo } from '../../state/access/access.js';
import { signInTexts } from '../../texts/topics/sign-in.js';
import { ProviderButton } from './provider-button.js';

const PasskeySignIn = lazy(async () => (await import('./passkey-sign-in.js')).PasskeySignIn);

/** Name and password. */
export function SignInForm({
  name: known = '',
  onSignedIn,
}: {
  /** The user who has to sign in; absent if anybody may. */
  readonly name?: string;
  readonly onSignedIn: (info: SessionInfo) => void;
}): VNode {
  const { access, client, texts } = usePage();
  const words = useTopic(signInTexts);
  const name = useSignal(known);
  const password = useSignal('');
  const wrong = useSignal<'name' | 'password' | undefined>(undefined);
  const task = useTask({ SIGN_IN_REFUSED: words.wrong });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    task.fail(undefined);
    wrong.value = name.value.trim() === '' ? 'name' : password.value === '' ? 'password' : undefined;
    if (wrong.value !== undefined) return;
    await task.run(async () => {
      const info = await client.signIn(name.value.trim(), password.value);
      password.value = '';
      onSignedIn(info);
    });
  };
  return (
    <form class="stack" method="post" onSubmit={(event) => void submit(event)} noValidate>
      <SecretField
        label={words.name}
        value={name}
        purpose="username"
        autoFocus={known === ''}
        error={wrong.value === 'name' ? words.nameMissing : undefined}
      />
      <SecretField
        label={words.password}
        value={password}
        purpose="current-password"
        autoFocus={known !== ''}
        error={wrong.value === 'password' ? words.passwordMissing : undefined}
      />
      <FormEnd task={task} label={texts.access.signIn} />
      {access.info.value?.passkeys === true && <PasskeySignIn onSignedIn={onSignedIn} />}
      <p class="quiet field-hint">{words.forgotten}</p>
      <ProviderButton />
    </form>
  );
}
