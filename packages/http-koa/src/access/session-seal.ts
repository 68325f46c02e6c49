import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type CipherGCM } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text that a browser keeps for a session. The key is derived from the secret of the session, and the store has only a
 * digest of that secret. So when the browser forgets the session, nobody can read the text any more.
 *
 * ```
 * base64url: nonce (12 bytes)  tag (16)  text
 * ```
 *
 * @param secret Secret of the session; it must be random.
 * @param purpose The text can be opened only with the same purpose.
 */
export function sealFor(secret: string, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher: CipherGCM = createCipheriv(ALGORITHM, keyOf(secret, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The text; `undefined` if it was not sealed for this session and purpose. */
export function openFor(secret: string, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const start = NONCE_BYTES + TAG_BYTES;
  if (bytes.length < start) return undefined;
  const decipher = createDecipheriv(ALGORITHM, keyOf(secret, purpose), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, start));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function keyOf(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `tallybook ${purpose}`, KEY_BYTES));
}
