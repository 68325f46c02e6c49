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

/** A user who has begun to add a passkey. */
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

  hasPasskeyAt(host: string): boolean {
    return this.all().some(({ passkey }) => passkey.host === host);
  }

  isSpent({ nonce }: SpentChallenge): boolean {
    return this.#keyholders().some(({ passkeys }) => passkeys.spent.some((spent) => spent.nonce === nonce));
  }

  #keyholders(): readonly Keyholder[] {
    return this.#directory().users.filter(hasPasskeys);
  }
}

/** The passkey data of a user before the first passkey. */
export function noPasskeys(secrets: Pick<Secrets, 'random'>): UserPasskeys {
  return { handle: secrets.random(), keys: [], spent: [] };
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
