import { createHmac, hash, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { quote, TallybookError } from '@tallybook/domain';
import { Gate } from '@tallybook/domain/record';
import type { PasswordCheck, Secrets } from '@tallybook/domain/access';
import { formatScryptText, parseScryptText, type ScryptText } from './scrypt-text.js';

export interface SystemSecretsOptions {
  /**
   * Binary logarithm of the work factor N of a new hash, 10..17, default 15: 32 MiB, and about 0.3 s on a small computer. A
   * hash of less work is replaced when its user signs in.
   */
  readonly workFactor?: number;
}

const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 12;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const DEFAULT_WORK_FACTOR = 15;
/** @see OWASP Password Storage Cheat Sheet: N=2^15, r=8, p=3 is as strong as N=2^17, p=1, and takes a quarter of the memory. */
const R = 8;
const P = 3;
/** Number of passwords hashed at a time. Each takes one of four threads of Node, which also read and write files. */
const AT_A_TIME = 2;

/** Secrets by the cryptography of the system. */
export class SystemSecrets implements Secrets {
  readonly #ln: number;
  readonly #gate = new Gate(AT_A_TIME);
  /** Used in place of the hash if there is no such user. */
  readonly #nobody: ScryptText;

  constructor({ workFactor = DEFAULT_WORK_FACTOR }: SystemSecretsOptions = {}) {
    if (!(Number.isInteger(workFactor) && workFactor >= 10 && workFactor <= 17)) {
      throw new TallybookError('INVALID_OPTION', `workFactor is 10 to 17; got ${quote(workFactor)}`);
    }
    this.#ln = workFactor;
    this.#nobody = { ...this.#cost(), salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  }

  random(): string {
    return randomBytes(SECRET_BYTES).toString('base64url');
  }

  randomCode(): string {
    const letters = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]);
    return letters.join('');
  }

  digest(text: string): string {
    return hash('sha256', text, 'hex');
  }

  hmac(key: string, text: string): string {
    return createHmac('sha256', key).update(text).digest('hex');
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const cost = this.#cost();
    const hash = await this.#derive(password, { ...cost, salt }, HASH_BYTES);
    return formatScryptText({ ...cost, salt, hash });
  }

  async check(password: string, hash: string | undefined): Promise<PasswordCheck> {
    const known = hash === undefined ? undefined : parseScryptText(hash);
    const { salt, hash: expected, ...cost } = known ?? this.#nobody;
    const derived = await this.#derive(password, { ...cost, salt }, expected.length);
    const isSame = timingSafeEqual(derived, expected);
    if (known === undefined || !isSame) return { matches: false };
    const isWeaker = workOf(known) < workOf(this.#cost());
    return isWeaker ? { matches: true, rehashed: await this.hash(password) } : { matches: true };
  }

  #cost(): Pick<ScryptText, 'ln' | 'r' | 'p'> {
    return { ln: this.#ln, r: R, p: P };
  }

  #derive(password: string, { ln, r, p, salt }: Omit<ScryptText, 'hash'>, length: number): Promise<Buffer> {
    const N = 2 ** ln;
    const options = { N, r, p, maxmem: 128 * r * (N + p + 2) };
    return this.#gate.run(
      () =>
        new Promise((resolve, reject) => {
          scrypt(password, salt, length, options, (error, key) => {
            if (error === null) resolve(key);
            else reject(error);
          });
        }),
    );
  }
}

function workOf({ ln, r, p }: Pick<ScryptText, 'ln' | 'r' | 'p'>): number {
  return 2 ** ln * r * p;
}
