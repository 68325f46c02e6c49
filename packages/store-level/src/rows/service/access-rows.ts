import {
  readCredential,
  readUser,
  writeCredential,
  writeUser,
  type Credential,
  type User,
} from '@tallybook/domain/access';
import { CREDENTIAL, textKey, textOfKey, USER } from '../keys.js';
import { parseJson } from './json-value.js';

/* Rows of users and of credentials: the name or the id is in the key, everything else is JSON. */

export function userKey(name: string): Buffer {
  return textKey(USER, name);
}

export function credentialKey(id: string): Buffer {
  return textKey(CREDENTIAL, id);
}

export function encodeUser(user: User): Buffer {
  return Buffer.from(writeUser(user));
}

/** Throws if the row is no user. */
export function decodeUser(key: Buffer, value: Buffer): User {
  return readUser(textOfKey(key), parseJson(value));
}

export function encodeCredential(credential: Credential): Buffer {
  return Buffer.from(writeCredential(credential));
}

/** Throws if the row is no credential. */
export function decodeCredential(key: Buffer, value: Buffer): Credential {
  return readCredential(textOfKey(key), parseJson(value));
}
