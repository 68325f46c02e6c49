import { toDay, type Day } from '../../values/day.js';
import { storedFields as valid } from '../../record/values/valid-fields.js';
import { toTimestamp, type Timestamp } from '../../values/timestamp.js';

/**
 * A passkey for signing in without a password: the public key of a key pair. The private key stays on the user's device.
 */
export interface Passkey {
  /** Id in lists and for removing. 16 characters; unrelated to the key. */
  readonly id: string;
  /** Id on the device: 1 to 1,364 characters of base64url. */
  readonly credentialId: string;
  /** The public key as COSE, in base64url. */
  readonly publicKey: string;
  /** Number of uses, counted by the device; 0 from a device that does not count. */
  readonly counter: number;
  /** Name of the only host that can ask for it, without the port. */
  readonly host: string;
  /** Name that its owner gave it: 1 to 100 characters. */
  readonly label: string;
  /** Whether it is copied to the owner's other devices by the maker of the device. */
  readonly isSynced: boolean;
  readonly createdAt: Timestamp;
  /** The last day on which it was used, `undefined` before. */
  readonly lastUsed: Day | undefined;
}

/** An answered challenge, which may not be answered again. */
export interface SpentChallenge {
  /** The part of the challenge by which it is recognised. */
  readonly nonce: string;
  /** Time after which every server refuses the challenge anyway, so that it can be forgotten. */
  readonly until: Timestamp;
}

/** The passkeys of a user, with their handle. A user with passkeys has a password too. */
export interface UserPasskeys {
  /** Stands for the user on devices: 43 characters of base64url. Says nothing about the name. */
  readonly handle: string;
  /** In the order in which they were made; 20 at most. */
  readonly keys: readonly Passkey[];
  readonly spent: readonly SpentChallenge[];
}

/** Reads the parsed JSON of {@link UserPasskeys}. Throws if it is not valid. */
export function readUserPasskeys(value: unknown): UserPasskeys {
  const { handle, keys, spent } = valid.object(value, 'it');
  return {
    handle: valid.text(handle, 'handle'),
    keys: valid.list(keys, 'keys').map(readPasskey),
    spent: valid.list(spent, 'spent').map((each) => {
      const { nonce, until } = valid.object(each, 'it');
      return { nonce: valid.text(nonce, 'nonce'), until: toTimestamp(until) };
    }),
  };
}

function readPasskey(value: unknown): Passkey {
  const { id, credentialId, publicKey, counter, host, label, isSynced, createdAt, lastUsed } = valid.object(
    value,
    'it',
  );
  return {
    id: valid.text(id, 'id'),
    credentialId: valid.text(credentialId, 'credentialId'),
    publicKey: valid.text(publicKey, 'publicKey'),
    counter: valid.count(counter, 'counter'),
    host: valid.text(host, 'host'),
    label: valid.text(label, 'label'),
    isSynced: valid.boolean(isSynced, 'isSynced'),
    createdAt: toTimestamp(createdAt),
    lastUsed: lastUsed === undefined ? undefined : toDay(lastUsed),
  };
}
