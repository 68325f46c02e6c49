import {
  readCredential,
  readUser,
  writeCredential,
  writeUser,
  type Credential,
  type User,
} from '@tallybook/domain/access';
import { CREDENTIAL, USER } from '../keys.js';
import { parseJson, parseObject, readText } from './json-value.js';
import { textKey, textOfKey } from './service-keys.js';

/* Rows of users and of credentials: the name or the id is in the key, everything else is JSON. */

/** The row of the secret of the service, among those of credentials: no credential has an id of 7 characters. */
export const accessSecretKey: Buffer = textKey(CREDENTIAL, 'service');

export function encodeAccessSecret(secret: string): Buffer {
  return Buffer.from(JSON.stringify({ secret }));
}

/** Throws if the row has no secret. */
export function decodeAccessSecret(value: Buffer): string {
  return readText(parseObject(value)['secret']);
}

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
