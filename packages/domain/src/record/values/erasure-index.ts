import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import { TallybookError } from '../../errors.js';
import { nameOfErasure, type Erasure, type ErasureName } from './erasure.js';

/** Makes the keys and the digests of {@link Erasure}, which need cryptography. */
export interface TagDigests {
  newKey(): string;
  digestOf(key: string, id: TallyId): string;
}

type TagName = Pick<Erasure, 'key' | 'digest'>;

/** The erasures under a key. */
interface Keyed<E> {
  /** By digest, then by name. */
  readonly byDigest: Map<string, Map<string, E>>;
  /** Number of the latest digest that was added under this key. */
  latest: number;
}

/** The remembered digests of a tag that have erasures. */
interface Found {
  /** Number of the latest digest at the time of the look-up. */
  readonly latest: number;
  readonly names: readonly TagName[];
}

/** Maximum number of keys in a store, its own included: the first tap of each tag costs a digest for each key. */
export const ERASURE_KEYS_MAX = 64;
/** Maximum number of erasures in a store: each is held in memory. */
export const ERASURES_MAX = 100_000;
/**
 * A centre with this many erasures takes no more from its stations. The rest is for erasures that are made at the centre, and
 * for backups.
 */
export const CENTRE_ERASURES_MAX = 50_000;

/** Maximum number of remembered tags: more than a batch of a station can have. */
const REMEMBERED = 8_192;

/**
 * Finds erasures by the ids of tags, for stores.
 *
 * The first look-up of a tag calculates a digest for each key, and remembers the result. Later look-ups calculate a digest
 * only for each key with a new digest.
 */
export class ErasureIndex<E extends Erasure> {
  /** The key of the erasures that this site makes. */
  key: string;
  readonly #digests: TagDigests;
  #byKey = new Map<string, Keyed<E>>();
  /** By tag, the least recently calculated result first. */
  readonly #found = new Map<TallyId, Found>();
  #latest = 0;
  #size = 0;
  /** Erasures that were asked for and are not stored yet. */
  #asked = new Set<ErasureIndex<E>>();

  constructor(digests: TagDigests, erasures: Iterable<E> = []) {
    this.#digests = digests;
    this.key = digests.newKey();
    for (const erasure of erasures) this.put(erasure);
  }

  get isEmpty(): boolean {
    return this.#size === 0 && this.#asked.size === 0;
  }

  get size(): number {
    return this.#size;
  }

  /** The keys of all erasures, and the one of this site. */
  get keys(): ReadonlySet<string> {
    return new Set([this.key, ...this.#byKey.keys()]);
  }

  /** Ascending by digest. */
  get all(): readonly E[] {
    const all = [...this.#byKey.values()].flatMap(({ byDigest }) =>
      [...byDigest.values()].flatMap((each) => [...each.values()]),
    );
    return all.sort((a, b) => (a.digest < b.digest ? -1 : 1));
  }

  /** The stored erasures of a tag. */
  of(id: TallyId): readonly E[] {
    return this.#namesOf(id).flatMap(({ key, digest }) => [
      ...(this.#byKey.get(key)?.byDigest.get(digest)?.values() ?? []),
    ]);
  }

  /** Whether data of a tag is refused, also by an erasure that was only asked for. Without a time, any erasure that is not closed refuses it. */
  isRefused(id: TallyId, at: Timestamp | undefined): boolean {
    if (this.isEmpty) return false;
    const isWithin = ({ from, until, isClosed }: E): boolean =>
      at === undefined ? isClosed !== true : from <= at && at <= until;
    return this.of(id).some(isWithin) || [...this.#asked].some((asked) => asked.isRefused(id, at));
  }

  get(name: ErasureName): E | undefined {
    return this.#byKey.get(name.key)?.byDigest.get(name.digest)?.get(nameOfErasure(name));
  }

  /** Refuses the data of these erasures too, until the returned function is called. */
  ask(erasures: Iterable<E>): () => void {
    const asked = this.only(erasures);
    this.#asked.add(asked);
    return () => void this.#asked.delete(asked);
  }

  /** An index of these erasures alone. */
  only(erasures: Iterable<E>): ErasureIndex<E> {
    return new ErasureIndex(this.#digests, erasures);
  }

  put(erasure: E): void {
    const isKnown = this.#byKey.get(erasure.key)?.byDigest.has(erasure.digest) === true;
    this.#add(erasure, isKnown ? 0 : ++this.#latest);
  }

  remove(name: ErasureName): void {
    const { key, digest } = name;
    const byDigest = this.#byKey.get(key)?.byDigest;
    const its = byDigest?.get(digest);
    if (its?.delete(nameOfErasure(name)) !== true) return;
    this.#size--;
    if (its.size === 0) byDigest?.delete(digest);
    if (byDigest?.size === 0) this.#byKey.delete(key);
  }

  /** Replaces all stored erasures. Keeps the remembered results as far as they still hold. */
  replace(erasures: Iterable<E>): void {
    const before = this.#byKey;
    this.#byKey = new Map();
    this.#size = 0;
    for (const erasure of erasures) {
      const keyed = before.get(erasure.key);
      this.#add(erasure, keyed?.byDigest.has(erasure.digest) === true ? keyed.latest : ++this.#latest);
    }
  }

  /** A copy with other stored erasures. */
  with(erasures: Iterable<E>): ErasureIndex<E> {
    const other = new ErasureIndex<E>(this.#digests);
    other.key = this.key;
    other.#latest = this.#latest;
    other.#byKey = this.#byKey;
    other.#asked = this.#asked;
    for (const [id, found] of this.#found) other.#found.set(id, found);
    other.replace(erasures);
    return other;
  }

  /** Key and digest for an erasure of a tag by this site. */
  nameOf(id: TallyId): TagName {
    return { key: this.key, digest: this.#digests.digestOf(this.key, id) };
  }

  #add(erasure: E, number: number): void {
    const { key, digest } = erasure;
    const keyed = this.#byKey.get(key) ?? { byDigest: new Map<string, Map<string, E>>(), latest: 0 };
    const its = keyed.byDigest.get(digest) ?? new Map<string, E>();
    this.#byKey.set(key, keyed);
    keyed.byDigest.set(digest, its);
    keyed.latest = Math.max(keyed.latest, number);
    const before = its.size;
    its.set(nameOfErasure(erasure), erasure);
    this.#size += its.size - before;
  }

  #namesOf(id: TallyId): readonly TagName[] {
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

/**
 * Requires room for more erasures. Present erasures need no room.
 *
 * @throws {TallybookError} `TOO_MANY_ERASURE_KEYS` or `TOO_MANY_ERASURES`.
 */
export function requireRoom<E extends Erasure>(
  known: ErasureIndex<E>,
  erasures: readonly ErasureName[],
): void {
  const added = erasures.filter((each) => known.get(each) === undefined);
  const keys = new Set(added.map(({ key }) => key).filter((key) => !known.keys.has(key)));
  if (keys.size > 0 && known.keys.size + keys.size > ERASURE_KEYS_MAX) {
    const details = { most: ERASURE_KEYS_MAX, known: known.keys.size, added: keys.size };
    throw new TallybookError(
      'TOO_MANY_ERASURE_KEYS',
      `a store keeps erasures of at most ${details.most} sites: it has those of ${details.known}, and ${details.added} more would be added`,
      { details },
    );
  }
  const names = new Set(added.map(nameOfErasure));
  if (names.size > 0 && known.size + names.size > ERASURES_MAX) {
    const details = { most: ERASURES_MAX, known: known.size, added: names.size };
    throw new TallybookError(
      'TOO_MANY_ERASURES',
      `a store keeps at most ${details.most} erasures: it has ${details.known}, and ${details.added} more would be added; each ends after 400 days`,
      { details },
    );
  }
}
