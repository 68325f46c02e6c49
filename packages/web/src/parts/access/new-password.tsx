import { useSignal, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { signInTexts, type SignInTexts } from '../../texts/topics/sign-in.js';
import { useTopic } from '../words/use-topic.js';
import { SecretField } from './secret-field.js';

const LEAST_LENGTH = 8;

export interface NewPassword {
  readonly password: Signal<string>;
  readonly again: Signal<string>;
  readonly wrong: Signal<'password' | 'again' | undefined>;
  /** Whether the password can be sent. If not, the field shows why. */
  readonly check: () => boolean;
}

/** A new password, typed twice because nobody sees it. */
export function useNewPassword(): NewPassword {
  const password = useSignal('');
  const again = useSignal('');
  const wrong = useSignal<'password' | 'again' | undefined>(undefined);
  const check = (): boolean => {
    const isShort = Array.from(password.peek()).length < LEAST_LENGTH;
    wrong.value = isShort ? 'password' : password.peek() === again.peek() ? undefined : 'again';
    return wrong.value === undefined;
  };
  return { password, again, wrong, check };
}

export function NewPasswordFields({ of: { password, again, wrong } }: { readonly of: NewPassword }): VNode {
  const texts: SignInTexts = useTopic(signInTexts);
  return (
    <>
      <SecretField
        label={texts.newPassword}
        value={password}
        purpose="new-password"
        hint={texts.newPasswordHint}
        error={wrong.value === 'password' ? texts.tooShort : undefined}
      />
      <SecretField
        label={texts.again}
        value={again}
        purpose="new-password"
        error={wrong.value === 'again' ? texts.notSame : undefined}
      />
    </>
  );
}
