import type { TallyId } from '../../values/tally-id.js';
import type { Erasure } from './erasure.js';

/** Makes the keys and the digests of {@link Erasure}, which need cryptography. */
export interface TagDigests {
  newKey(): string;
  digestOf(key: string, id: TallyId): string;
}

/** An erasure, without its times. */
type ErasureName = Pick<Erasure, 'key' | 'digest'>;

/** The erasures under a key. */
interface Keyed<E> {
  readonly byDigest: Map<string, E>;
  /** Number of the erasure under this key that was added last. */
  latest: number;
}

/** The remembered erasures of a tag. */
interface Found {
  /** Number of the latest erasure at the time of the look-up. */
  readonly latest: number;
  readonly names: readonly ErasureName[];
}

/** Maximum number of remembered tags: more than a batch of a station can have. */
const REMEMBERED = 8_192;

/**
 * Finds erasures by the ids of tags, for stores.
 *
 * The first look-up of a tag calculates a digest for each key, and remembers the result. Later look-ups calculate a digest
 * only for each key with a new erasure.
 */
export class ErasureIndex<E extends Erasure> {
  readonly #digests: TagDigests;
  readonly #byKey = new Map<string, Keyed<E>>();
  readonly #keyOf = new Map<string, string>();
  /** By tag, the least recently calculated result first. */
  readonly #found = new Map<TallyId, Found>();
  #latest = 0;
  /** Key of the first erasures: several may be named together before one of them is put. */
  #newKey: string | undefined;

  constructor(digests: TagDigests, erasures: Iterable<E> = []) {
    this.#digests = digests;
    for (const erasure of erasures) this.put(erasure);
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  get size(): number {
    return this.#keyOf.size;
  }

  get keys(): ReadonlySet<string> {
    return new Set(this.#byKey.keys());
  }

  /** Ascending by digest. */
  get all(): readonly E[] {
    const all = [...this.#byKey.values()].flatMap(({ byDigest }) => [...byDigest.values()]);
    return all.sort((a, b) => (a.digest < b.digest ? -1 : 1));
  }

  /** The erasure of a tag with the latest `until`. Erasures from several places may have different keys. */
  find(id: TallyId): E | undefined {
    let latest: E | undefined;
    for (const name of this.#namesOf(id)) {
      const erasure = this.get(name);
      if (erasure !== undefined && (latest === undefined || erasure.until > latest.until)) latest = erasure;
    }
    return latest;
  }

  has(name: ErasureName): boolean {
    return this.get(name) !== undefined;
  }

  get({ key, digest }: ErasureName): E | undefined {
    return this.#byKey.get(key)?.byDigest.get(digest);
  }

  /**
   * The erasures without forged ones: an erasure is left out if its digest is present here, or earlier in the list, under another
   * key. Two keys never give the same digest by chance.
   */
  untaken<N extends ErasureName>(erasures: Iterable<N>): readonly N[] {
    const keyOf = new Map<string, string>();
    const left: N[] = [];
    for (const erasure of erasures) {
      const { key, digest } = erasure;
      if ((this.#keyOf.get(digest) ?? keyOf.get(digest) ?? key) !== key) continue;
      keyOf.set(digest, key);
      left.push(erasure);
    }
    return left;
  }

  put(erasure: E): void {
    this.#add(erasure, this.get(erasure) === undefined ? ++this.#latest : 0);
  }

  remove({ key, digest }: ErasureName): void {
    const byDigest = this.#byKey.get(key)?.byDigest;
    if (byDigest?.delete(digest) === true && this.#keyOf.get(digest) === key) this.#keyOf.delete(digest);
    if (byDigest?.size === 0) this.#byKey.delete(key);
  }

  /** An index of these erasures, with the remembered results of this index as far as they still hold. */
  with(erasures: Iterable<E>): ErasureIndex<E> {
    const other = new ErasureIndex<E>(this.#digests);
    other.#latest = this.#latest;
    for (const [id, found] of this.#found) other.#found.set(id, found);
    for (const erasure of erasures) {
      const keyed = this.#byKey.get(erasure.key);
      const isKnown = keyed?.byDigest.has(erasure.digest) === true;
      other.#add(erasure, isKnown ? keyed.latest : ++other.#latest);
    }
    return other;
  }

  /**
   * Key and digest for an erasure of a tag: those of a present erasure of the tag; else with the key of any other erasure,
   * or with a new key.
   */
  nameOf(id: TallyId): ErasureName {
    const known = this.find(id);
    if (known !== undefined) return known;
    const [key = (this.#newKey ??= this.#digests.newKey())] = this.#byKey.keys();
    return { key, digest: this.#digests.digestOf(key, id) };
  }

  #add(erasure: E, number: number): void {
    const { key, digest } = erasure;
    const keyed = this.#byKey.get(key) ?? { byDigest: new Map<string, E>(), latest: 0 };
    this.#byKey.set(key, keyed);
    keyed.latest = Math.max(keyed.latest, number);
    keyed.byDigest.set(digest, erasure);
    this.#keyOf.set(digest, key);
    // When its erasures are gone, the key is not used again.
    this.#newKey = undefined;
  }

  #namesOf(id: TallyId): readonly ErasureName[] {
    const found = this.#found.get(id);
    if (found?.latest === this.#latest) return found.names;
    const names = [...(found?.names ?? [])];
    for (const [key, { byDigest, latest }] of this.#byKey) {
      if (found !== undefined && latest <= found.latest) continue;
      const digest = this.#digests.digestOf(key, id);
      if (byDigest.has(digest) && !names.some((name) => name.key === key)) names.push({ key, digest });
    }
    // Deleted first, so that the entry moves to the end of the map.
    this.#found.delete(id);
    this.#found.set(id, { latest: this.#latest, names });
    const [oldest] = this.#found.keys();
    if (this.#found.size > REMEMBERED && oldest !== undefined) this.#found.delete(oldest);
    return names;
  }
}
