import type { User } from '../values/access.js';
import type { Passkey, SpentChallenge, UserPasskeys } from '../values/passkey.js';
import type { Secrets } from '../ports/secrets.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { AccessDirectory } from '../access-directory.js';

/**
 * Maximum number of answered challenges that are remembered for one user. With more, the user has to wait until one is
 * forgotten.
 */
export const MAX_SPENT = 50;

/** A user with a sealing secret, and possibly with passkeys. */
export type Keyholder = User & { readonly passkeys: UserPasskeys };

/** A passkey and its user. */
export interface OwnedPasskey {
  readonly user: Keyholder;
  readonly passkey: Passkey;
}

/** Finds passkeys among the users. */
export class PasskeyBook {
  readonly #directory: () => AccessDirectory;

  constructor(directory: () => AccessDirectory) {
    this.#directory = directory;
  }

  /** The passkeys of all users, ascending by user; those of one user in the order of their making. */
  all(): readonly OwnedPasskey[] {
    return this.#keyholders().flatMap((user) => user.passkeys.keys.map((passkey) => ({ user, passkey })));
  }

  byId(id: string): OwnedPasskey | undefined {
    return this.all().find(({ passkey }) => passkey.id === id);
  }

  byCredentialId(credentialId: string): OwnedPasskey | undefined {
    return this.all().find(({ passkey }) => passkey.credentialId === credentialId);
  }

  /**
   * The secret that seals challenges for signing in at a host: that of the first user with a passkey there, which all
   * servers find in the store. `undefined` if there is no such user. Another user may be the first when the challenge is
   * answered: see {@link seals}.
   */
  signInKey(host: string): string | undefined {
    return this.#keyholders().find(({ passkeys }) => passkeys.keys.some((passkey) => passkey.host === host))
      ?.passkeys.seal;
  }

  /** The sealing secrets of all users. Every challenge for signing in was sealed with one of them. */
  get seals(): readonly string[] {
    return sealsOf(this.#directory());
  }

  isSpent({ nonce }: SpentChallenge): boolean {
    return this.#keyholders().some(({ passkeys }) => passkeys.spent.some((spent) => spent.nonce === nonce));
  }

  #keyholders(): readonly Keyholder[] {
    return this.#directory().users.filter(hasPasskeys);
  }
}

/** The sealing secrets of all users, ascending by user. */
export function sealsOf({ users }: AccessDirectory): readonly string[] {
  return users.flatMap(({ passkeys }) => passkeys?.seal ?? []);
}

/** The passkey data of a user before the first passkey. */
export function noPasskeys(secrets: Pick<Secrets, 'random'>): UserPasskeys {
  return { handle: secrets.random(), seal: secrets.random(), keys: [], spent: [] };
}

export function hasPasskeys(user: User): user is Keyholder {
  return user.passkeys !== undefined;
}

/** The remembered challenges, with one more. */
export function spend(
  { spent }: UserPasskeys,
  challenge: SpentChallenge,
  now: Timestamp,
): readonly SpentChallenge[] {
  return [...spent.filter(({ until }) => until > now), challenge];
}
