import type { TallyId } from '../tally-id.js';
import type { Erasure } from './erasure.js';

/** Makes the keys and the digests of {@link Erasure}, which need cryptography. */
export interface TagDigests {
  newKey(): string;
  digestOf(key: string, id: TallyId): string;
}

/** Knows by their ids which tags were erased, for stores. */
export class ErasureIndex<E extends Erasure> {
  readonly #digests: TagDigests;
  readonly #byKey = new Map<string, Map<string, E>>();

  constructor(digests: TagDigests, erasures: Iterable<E> = []) {
    this.#digests = digests;
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

  /** The erasure of a tag that ends last: there may be several with different keys, from several places. */
  find(id: TallyId): E | undefined {
    let latest: E | undefined;
    for (const [key, byDigest] of this.#byKey) {
      const erasure = byDigest.get(this.#digests.digestOf(key, id));
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

  /** Key and digest of a new erasure of a tag. The key is that of the other erasures made here. */
  nameOf(id: TallyId): Pick<Erasure, 'key' | 'digest'> {
    const known = this.find(id);
    if (known !== undefined) return known;
    const [key = this.#digests.newKey()] = this.#byKey.keys();
    return { key, digest: this.#digests.digestOf(key, id) };
  }
}
