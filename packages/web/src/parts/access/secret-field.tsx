import { useSignal, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { signInTexts } from '../../texts/topics/sign-in.js';
import { useTopic } from '../words.js';
import { Button } from '../button.js';

/** A field for a name or a secret, with a purpose that password managers recognise. */
export function SecretField({
  label,
  value,
  purpose,
  error,
  hint,
  autoFocus = false,
}: {
  readonly label: string;
  readonly value: Signal<string>;
  readonly purpose: 'username' | 'current-password' | 'new-password' | 'one-time-code';
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly autoFocus?: boolean;
}): VNode {
  const texts = useTopic(signInTexts);
  const id = useId();
  const isShown = useSignal(false);
  const isPassword = purpose.endsWith('password');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="secret">
        <input
          id={id}
          name={purpose}
          {...(isPassword && !isShown.value ? { type: 'password' } : { type: 'text' })}
          value={value.value}
          autoComplete={purpose}
          autoCapitalize="none"
          spellcheck={false}
          autoFocus={autoFocus}
          maxLength={256}
          aria-invalid={error === undefined ? undefined : 'true'}
          aria-describedby={`${id}-hint ${id}-error`}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
        {isPassword && (
          <Button
            isPressed={isShown.value}
            label={`${isShown.value ? texts.hide : texts.show}: ${label}`}
            onClick={() => (isShown.value = !isShown.value)}
          >
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
              <path d={isShown.value ? HIDE : SHOW} />
            </svg>
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} class="quiet field-hint">
        {hint}
      </p>
      <p id={`${id}-error`} class="field-error" role="alert">
        {error}
      </p>
    </div>
  );
}

const SHOW =
  'M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6';
const HIDE = `${SHOW}M4 20 20 4`;

const LEAST_LENGTH = 8;

interface NewPassword {
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
  const texts = useTopic(signInTexts);
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
