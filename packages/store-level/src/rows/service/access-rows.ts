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

/** A kind of rows. */
export interface AccessRows<T> {
  readonly keyOf: (id: string) => Buffer;
  readonly encode: (item: T) => Buffer;
  /** Throws if the row is not of this kind. */
  readonly decode: (key: Buffer, value: Buffer) => T;
}

export const userRows: AccessRows<User> = rowsOf(USER, writeUser, readUser);
export const credentialRows: AccessRows<Credential> = rowsOf(CREDENTIAL, writeCredential, readCredential);

function rowsOf<T>(
  kind: number,
  write: (item: T) => string,
  read: (id: string, value: unknown) => T,
): AccessRows<T> {
  return {
    keyOf: (id) => textKey(kind, id),
    encode: (item) => Buffer.from(write(item)),
    decode: (key, value) => read(textOfKey(key), parseJson(value)),
  };
}
