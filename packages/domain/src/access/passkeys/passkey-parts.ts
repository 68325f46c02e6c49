import { kindOf, TallybookError } from '../../errors.js';
import type { PasskeyPlace, PasskeyVerifier } from '../ports/passkey-verifier.js';
import type { Secrets } from '../ports/secrets.js';
import type { Passkey } from '../values/passkey.js';
import type { AccessLedger } from '../access-ledger.js';
import type { Sessions } from '../credentials/sessions.js';
import type { PasswordDesk } from '../passwords/password-desk.js';
import type { Seals } from '../seals.js';
import type { SignInThrottle } from '../sign-in-throttle.js';

/** Seconds for which a challenge is valid. */
export const CHALLENGE_SECONDS = 300;

/** Parts of a `PasskeyGate`. */
export interface PasskeyDeskParts {
  /** `undefined` where there are no passkeys. */
  readonly verifier: PasskeyVerifier | undefined;
  readonly secrets: Pick<Secrets, 'digest' | 'random'>;
  readonly ledger: AccessLedger;
  readonly passwords: PasswordDesk;
  readonly throttle: SignInThrottle;
  readonly sessions: Sessions;
  readonly seals: Seals;
}

/** Challenge for a browser to sign. */
export interface PasskeyChallenge {
  /** 104 characters of base64url. */
  readonly challenge: string;
  /** As in {@link PasskeyPlace}. */
  readonly host: string;
  /** Seconds for which it is valid. */
  readonly seconds: number;
}

/** Request to a browser for a new passkey. */
export interface NewPasskeyRequest extends PasskeyChallenge {
  readonly user: string;
  /** As in `UserPasskeys`. */
  readonly handle: string;
  /** COSE numbers, the preferred ones first. */
  readonly algorithms: readonly number[];
  /** Ids of the passkeys that the user has for this host: a device that has one of them does not make another. */
  readonly present: readonly string[];
}

/** The place where somebody adds a passkey or signs in with one; `undefined` where browsers have no passkeys. */
export type MaybePlace = PasskeyPlace | undefined;

/** Proof of the user who adds a passkey; untrusted. */
export interface PasskeyProof {
  readonly password?: unknown;
  /** As in {@link Origin}. */
  readonly address: string;
}

/** A passkey to add; untrusted. */
export interface PasskeyChoice {
  readonly label: unknown;
  /** `RegistrationResponseJSON` of WebAuthn. */
  readonly answer: unknown;
}

/** Properties of a passkey that others may see. */
export interface PasskeyView extends Pick<
  Passkey,
  'id' | 'host' | 'label' | 'isSynced' | 'createdAt' | 'lastUsed'
> {
  /** Name of its user. */
  readonly user: string;
}

/** Length of the longest id that WebAuthn allows, in base64url. */
const ID_MAX_LENGTH = 1_364;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Unchecked content of an answer to a challenge. */
export interface ShownPasskey {
  readonly answer: object;
  readonly credentialId: string;
  /** The user's handle on the device, as in `UserPasskeys`. */
  readonly handle: string | undefined;
}

/** @throws {TallybookError} `INVALID_PASSKEY` */
export function parseShownPasskey(value: unknown): ShownPasskey {
  const answer = parsePasskeyAnswer(value);
  const { id, response } = answer as { readonly id?: unknown; readonly response?: unknown };
  if (!isCredentialId(id)) {
    throw invalidPasskey(`id: 1 to ${ID_MAX_LENGTH} characters of base64url; got ${kindOf(id)}`);
  }
  const { userHandle } = (response ?? {}) as { readonly userHandle?: unknown };
  return { answer, credentialId: id, handle: typeof userHandle === 'string' ? userHandle : undefined };
}

/** @throws {TallybookError} `INVALID_PASSKEY` */
export function parsePasskeyAnswer(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidPasskey(
    `the answer of the browser has to be an object, as PublicKeyCredential.toJSON() gives; got ${kindOf(value)}`,
  );
}

export function isCredentialId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= ID_MAX_LENGTH && BASE64URL.test(value);
}

export function invalidPasskey(message: string): TallybookError {
  return new TallybookError('INVALID_PASSKEY', message);
}
