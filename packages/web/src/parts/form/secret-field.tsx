import { useSignal, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { signInTexts } from '../../texts/topics/sign-in.js';
import { Labelled } from './field.js';
import type { Task } from '../use-requests.js';
import { Button } from '../button.js';

/** A field for a name or a secret, with a purpose that password managers recognise. */
export function SecretField({
  value,
  purpose,
  autoFocus = false,
  ...labels
}: {
  readonly label: string;
  readonly value: Signal<string>;
  readonly purpose: 'username' | 'current-password' | 'new-password' | 'one-time-code';
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly autoFocus?: boolean;
}): VNode {
  const { words: texts } = usePage(signInTexts);
  const isShown = useSignal(false);
  const isPassword = purpose.endsWith('password');
  return (
    <Labelled {...labels}>
      {(own) => (
        <div class="secret">
          <input
            {...own}
            name={purpose}
            {...(isPassword && !isShown.value ? { type: 'password' } : { type: 'text' })}
            value={value.value}
            autoComplete={purpose}
            autoCapitalize="none"
            spellcheck={false}
            autoFocus={autoFocus}
            maxLength={256}
            onInput={(event) => (value.value = event.currentTarget.value)}
          />
          {isPassword && (
            <Button
              isPressed={isShown.value}
              label={`${isShown.value ? texts.hide : texts.show}: ${labels.label}`}
              onClick={() => (isShown.value = !isShown.value)}
            >
              <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
                <path d={isShown.value ? HIDE : SHOW} />
              </svg>
            </Button>
          )}
        </div>
      )}
    </Labelled>
  );
}

const SHOW =
  'M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6';
const HIDE = `${SHOW}M4 20 20 4`;

const MIN_LENGTH = 8;

interface NewPassword {
  readonly task: Task;
  readonly password: Signal<string>;
  readonly again: Signal<string>;
  /** Whether the password can be sent. If not, the field shows why. */
  readonly check: () => boolean;
}

/** A new password, typed twice because nobody sees it. */
export function useNewPassword(task: Task): NewPassword {
  const { words: texts } = usePage(signInTexts);
  const password = useSignal('');
  const again = useSignal('');
  const check = (): boolean => {
    const isShort = Array.from(password.peek()).length < MIN_LENGTH;
    const isSame = password.peek() === again.peek();
    if (isShort) task.fail(texts.tooShort, 'new-password');
    else if (!isSame) task.fail(texts.notSame, 'again');
    return !isShort && isSame;
  };
  return { task, password, again, check };
}

export function NewPasswordFields({ of: { task, password, again } }: { readonly of: NewPassword }): VNode {
  const { words: texts } = usePage(signInTexts);
  return (
    <>
      <SecretField
        label={texts.newPassword}
        value={password}
        purpose="new-password"
        hint={texts.newPasswordHint}
        error={task.errorOf('new-password')}
      />
      <SecretField label={texts.again} value={again} purpose="new-password" error={task.errorOf('again')} />
    </>
  );
}
