import { TallybookError } from '../../errors.js';
import type { PasskeyPlace, PasskeyVerifier } from '../ports/passkey-verifier.js';
import type { User } from '../values/access.js';
import type { Passkey, SpentChallenge, UserPasskeys } from '../values/passkey.js';
import type { Secrets } from '../ports/secrets.js';
import type { Timestamp } from '../../values/timestamp.js';
import { WorkLimit } from '../sign-in-throttle.js';
import { CHALLENGE_SECONDS, type MaybePlace, type PasskeyDeskParts } from './passkey-parts.js';

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

/** Shared by signing in and adding: who has passkeys, where there are any, and which challenges are open. */
export class PasskeyGate {
  readonly parts: PasskeyDeskParts;
  /** The answers that are being checked. */
  readonly checks: WorkLimit = new WorkLimit();

  constructor(parts: PasskeyDeskParts) {
    this.parts = parts;
  }

  /** @throws {TallybookError} `PASSKEYS_UNAVAILABLE` */
  require(place: MaybePlace): { readonly verifier: PasskeyVerifier; readonly place: PasskeyPlace } {
    const { verifier } = this.parts;
    if (verifier === undefined) throw unavailable('this service has no passkeys');
    if (place === undefined) {
      throw unavailable('browsers offer passkeys only with https and a host name, not an IP address');
    }
    return { verifier, place };
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

  challengeFor(purpose: string): string {
    return this.parts.seals.make(purpose, CHALLENGE_SECONDS);
  }

  /**
   * The part of a challenge to remember as answered; `undefined` if the challenge is not valid for this purpose, or was
   * answered.
   */
  open(challenge: string, purpose: string): SpentChallenge | undefined {
    const spent = this.parts.seals.open(challenge, purpose, CHALLENGE_SECONDS);
    return spent === undefined || this.#isSpent(spent) ? undefined : spent;
  }

  #isSpent({ nonce }: SpentChallenge): boolean {
    return this.#keyholders().some(({ passkeys }) => passkeys.spent.some((spent) => spent.nonce === nonce));
  }

  #keyholders(): readonly Keyholder[] {
    return this.parts.ledger.directory.users.filter(hasPasskeys);
  }
}

export function unavailable(message: string): TallybookError {
  return new TallybookError('PASSKEYS_UNAVAILABLE', message);
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
