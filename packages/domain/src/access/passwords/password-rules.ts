import { TallybookError } from '../../errors.js';

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 256;

/** Unicode NFC, because keyboards write the same letter in different ways. */
export function normalisePassword(text: string): string {
  return text.normalize('NFC');
}

/**
 * Checks a new password, which may be untrusted. No rules demand digits or signs: such rules make passwords worse.
 *
 * @param userName The user who gets the password.
 * @param isCommon As in `AccessDependencies`.
 * @throws {TallybookError} `INVALID_PASSWORD`. The message does not show the password.
 * @see NIST SP 800-63B-4 section 3.1.1.2, OWASP ASVS 5.0 section 6.2.
 */
export function parsePassword(
  value: unknown,
  userName: string,
  isCommon: (password: string) => boolean,
): string {
  const password =
    typeof value === 'string' ? normalisePassword(value.slice(0, 4 * PASSWORD_MAX_LENGTH)) : '';
  const length = Array.from(password).length;
  if (!(length >= PASSWORD_MIN_LENGTH && length <= PASSWORD_MAX_LENGTH)) {
    throw refused(`it has ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters`);
  }
  if (isCommon(password)) throw refused('this one is too common');
  if (isHardlyMoreThan(password.toLowerCase(), userName)) {
    throw refused('this one is too close to the name of the user');
  }
  return password;
}

/** Whether a password is the name with at most three more characters. */
function isHardlyMoreThan(text: string, name: string): boolean {
  return name.length > 2 && text.includes(name) && text.length - name.length <= 3;
}

function refused(reason: string): TallybookError {
  return new TallybookError('INVALID_PASSWORD', `choose another password: ${reason}`);
}
