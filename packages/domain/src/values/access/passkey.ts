import { toDay, type Day } from '../day.js';
import { fieldsOf, listOf, textOf } from '../json-fields.js';
import { toTimestamp, type Timestamp } from '../timestamp.js';

/**
 * A passkey, with which a user signs in without a password: the public half of a key pair. The other half stays on their
 * device.
 */
export interface Passkey {
  /** Names it where it is listed and removed. 16 characters; says nothing about the key. */
  readonly id: string;
  /** What the device calls it: 1 to 1,364 characters of base64url. */
  readonly credentialId: string;
  /** The public key as COSE, in base64url. */
  readonly publicKey: string;
  /** How often it was used, as the device counts; 0 from one that does not count. */
  readonly counter: number;
  /** The name of the host that it is for, without the port: no other one can ask for it. */
  readonly host: string;
  /** What its owner calls it: 1 to 100 characters. */
  readonly label: string;
  /** Whether the owner's other devices have it too, as the maker of the device copies it. */
  readonly isSynced: boolean;
  readonly createdAt: Timestamp;
  /** The last day on which it was used, `undefined` before. */
  readonly lastUsed: Day | undefined;
}

/** A challenge that was answered, and may not be answered again. */
export interface SpentChallenge {
  /** The part of the challenge by which it is recognised. */
  readonly nonce: string;
  /** From this moment on no server takes the challenge anyway, and this need not be kept. */
  readonly until: Timestamp;
}

/** The passkeys of a user, and what they need. A user with passkeys has a password too. */
export interface UserPasskeys {
  /** Stands for the user on devices: 43 characters of base64url. Says nothing about the name. */
  readonly handle: string;
  /**
   * A secret that seals challenges, and the tickets of people who sign in elsewhere: 43 characters. It is nowhere but in the
   * store.
   */
  readonly seal: string;
  /** In the order in which they were made; 20 at most. */
  readonly keys: readonly Passkey[];
  readonly spent: readonly SpentChallenge[];
}

/** Reads what was written as JSON of {@link UserPasskeys}. Throws if it is something else. */
export function readUserPasskeys(value: unknown): UserPasskeys {
  const { handle, seal, keys, spent } = fieldsOf(value);
  return {
    handle: textOf(handle),
    seal: textOf(seal),
    keys: listOf(keys).map(readPasskey),
    spent: listOf(spent).map((each) => {
      const { nonce, until } = fieldsOf(each);
      return { nonce: textOf(nonce), until: toTimestamp(until) };
    }),
  };
}

function readPasskey(value: unknown): Passkey {
  const { id, credentialId, publicKey, counter, host, label, isSynced, createdAt, lastUsed } =
    fieldsOf(value);
  if (typeof counter !== 'number' || !Number.isSafeInteger(counter) || counter < 0) {
    throw new TypeError('a counter is a number from 0');
  }
  if (typeof isSynced !== 'boolean') throw new TypeError('it is neither synced nor not synced');
  return {
    id: textOf(id),
    credentialId: textOf(credentialId),
    publicKey: textOf(publicKey),
    counter,
    host: textOf(host),
    label: textOf(label),
    isSynced,
    createdAt: toTimestamp(createdAt),
    lastUsed: lastUsed === undefined ? undefined : toDay(lastUsed),
  };
}
