import { createHmac, randomBytes } from 'node:crypto';
import {
  toTimestamp,
  type Erasure,
  type ErasureState,
  type KeptErasure,
  type TallyId,
} from '@tallybook/domain';
import { encodeNumbers, NumberReader } from '../leveldb-files/numbers.js';
import { digestOfKey } from './keys.js';

const KEY_BYTES = 16;
const DIGEST_DIGITS = 32;
const states: readonly ErasureState[] = ['begun', 'removed', 'done'];

/** The key, and varints: state, `until`, `expiresAt`. The digest is in the key of the row. */
export function encodeErasure({ key, until, expiresAt, state }: KeptErasure): Buffer {
  return Buffer.concat([Buffer.from(key, 'hex'), encodeNumbers(states.indexOf(state), until, expiresAt)]);
}

/** Throws if the row is no erasure. */
export function decodeErasure(rowKey: Buffer, value: Buffer): KeptErasure {
  const numbers = new NumberReader(value);
  const key = numbers.take(KEY_BYTES).toString('hex');
  const state = states[numbers.next()];
  const [until, expiresAt] = [toTimestamp(numbers.next()), toTimestamp(numbers.next())];
  numbers.end();
  if (state === undefined) throw new RangeError('there is no such state of an erasure');
  return { key, digest: digestOfKey(rowKey), until, expiresAt, state };
}

/** Knows by their ids which tags were erased. */
export class ErasureIndex<E extends Erasure> {
  readonly #byKey = new Map<string, Map<string, E>>();

  constructor(erasures: Iterable<E> = []) {
    for (const erasure of erasures) this.put(erasure);
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** Ascending by digest. */
  get all(): readonly E[] {
    const all = [...this.#byKey.values()].flatMap((byDigest) => [...byDigest.values()]);
    return all.sort((a, b) => (a.digest < b.digest ? -1 : 1));
  }

  /** The one that ends last: those that come from several places have keys of their own. */
  find(id: TallyId): E | undefined {
    let latest: E | undefined;
    for (const [key, byDigest] of this.#byKey) {
      const erasure = byDigest.get(digestOf(key, id));
      if (erasure !== undefined && (latest === undefined || erasure.until > latest.until)) latest = erasure;
    }
    return latest;
  }

  get({ key, digest }: Pick<Erasure, 'key' | 'digest'>): E | undefined {
    return this.#byKey.get(key)?.get(digest);
  }

  put(erasure: E): void {
    const { key, digest } = erasure;
    const byDigest = this.#byKey.get(key) ?? new Map<string, E>();
    this.#byKey.set(key, byDigest.set(digest, erasure));
  }

  remove({ key, digest }: Pick<Erasure, 'key' | 'digest'>): void {
    const byDigest = this.#byKey.get(key);
    byDigest?.delete(digest);
    if (byDigest?.size === 0) this.#byKey.delete(key);
  }

  /** What tells of a tag to those who have the key, which is the one that the others have. */
  nameOf(id: TallyId): { readonly key: string; readonly digest: string } {
    const known = this.find(id);
    if (known !== undefined) return known;
    const [key = randomBytes(KEY_BYTES).toString('hex')] = this.#byKey.keys();
    return { key, digest: digestOf(key, id) };
  }
}

function digestOf(key: string, id: TallyId): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(id).digest('hex').slice(0, DIGEST_DIGITS);
}
