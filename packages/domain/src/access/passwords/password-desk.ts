import { ifCode, TallybookError } from '../../errors.js';
import type { User } from '../values/access.js';
import { isNormalisable } from '../../values/name.js';
import type { AccessLedger } from '../access-ledger.js';
import type { AccessDependencies } from '../access-parts.js';
import { normalisePassword, parsePassword, PASSWORD_MAX_LENGTH } from './password-rules.js';
import {
  isNoted,
  WorkLimit,
  type Attempt,
  type CountedAttempt,
  type SignInThrottle,
} from '../sign-in-throttle.js';

export interface PasswordDeskParts extends Pick<AccessDependencies, 'secrets' | 'isCommonPassword'> {
  readonly ledger: AccessLedger;
  readonly throttle: SignInThrottle;
}

/** Checks and hashes passwords: a few at a time, and slowed down for people who guess. */
export class PasswordDesk {
  readonly #parts: PasswordDeskParts;
  /** The passwords that are checked or hashed, or wait for that. */
  readonly #work = new WorkLimit();
  /** Failed attempts with unknown names. */
  #strangers = 0;
  #setupAttempts = 0;

  constructor(parts: PasswordDeskParts) {
    this.#parts = parts;
  }

  /**
   * The user, if the password is right. An unknown user takes the same time and gives the same error as a wrong
   * password.
   *
   * Rejects with `SIGN_IN_REFUSED` and `SIGN_IN_TOO_SOON`.
   */
  async prove(password: unknown, attempt: Attempt): Promise<User> {
    this.#work.requireRoom();
    const counted = this.#parts.throttle.begin(attempt);
    const user = this.#parts.ledger.directory.user(attempt.account);
    const { matches, rehashed } = await this.#work.run(() =>
      this.#parts.secrets.check(textOf(password), user?.password),
    );
    if (user === undefined || !matches) {
      this.#noteRefused(user, counted, attempt.address);
      throw refused();
    }
    this.#parts.throttle.succeed(attempt);
    if (rehashed === undefined) return user;
    // On a full disk the former hash stays.
    return this.#renew(user, rehashed).catch(ifCode('STORE_WRITE_FAILED', user));
  }

  /** The hash of a new password. Rejects with `INVALID_PASSWORD` and `SIGN_IN_TOO_SOON`. */
  async hash(password: unknown, userName: string): Promise<string> {
    const text = parsePassword(password, userName, this.#parts.isCommonPassword);
    return this.#work.run(() => this.#parts.secrets.hash(text));
  }

  /** Counts an attempt at the setup code, and says whether the code was right. */
  allow(attempt: Attempt, isRight: () => boolean): boolean {
    this.#parts.throttle.begin(attempt);
    if (isRight()) {
      this.#parts.throttle.succeed(attempt);
      return true;
    }
    const attempts = ++this.#setupAttempts;
    if (isNoted(attempts))
      void this.#parts.ledger.note('anyone', 'setup-refused', { attempts, address: attempt.address });
    return false;
  }

  /** The user as it is now. Rejects if user or password changed while the password was checked. */
  requireSame(user: User): User {
    const present = this.#parts.ledger.directory.user(user.name);
    if (present === undefined || present.password !== user.password) throw refused();
    return present;
  }

  #renew(user: User, password: string): Promise<User> {
    return this.#parts.ledger.transaction(async () => {
      const renewed = { ...this.requireSame(user), password };
      await this.#parts.ledger.change({ putUsers: [renewed] });
      return renewed;
    });
  }

  /** The caller does not wait for it: the time of an answer must not show who is a user. */
  #noteRefused(user: User | undefined, counted: CountedAttempt, address: string): void {
    const attempts = user === undefined ? ++this.#strangers : counted.failures;
    if (!(user === undefined ? isNoted(attempts) : counted.isNoted)) return;
    // An unknown name may be a password that was typed into the wrong field.
    const actor = user?.name ?? 'anyone';
    void this.#parts.ledger.note(actor, 'sign-in-refused', {
      ...{ attempts, isKnown: user !== undefined, address },
    });
  }
}

/** The text of a password. Empty if the value is not text or far too long: no password is empty. */
function textOf(password: unknown): string {
  const isText = typeof password === 'string' && isNormalisable(password, PASSWORD_MAX_LENGTH);
  return isText ? normalisePassword(password) : '';
}

function refused(): TallybookError {
  return new TallybookError('SIGN_IN_REFUSED', 'the name or the password is wrong');
}
