import {
  compareTallyIds,
  createMapping,
  isSameName,
  type Association,
  type Mapping,
  type MappingSnapshot,
  type MappingStore,
  type Name,
  type NameChange,
  type NameChanges,
  type PutOutcome,
  type RestoreOutcome,
  type Revision,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import {
  nextStamp,
  NO_STAMP,
  NOWHERE,
  restoredStamp,
  type NameStamp,
  type StampedName,
} from '@tallybook/domain/record';
import type { StampSource } from '@tallybook/domain/sync';
import type { MemoryJournal } from './memory-journal.js';
import { MemoryStore } from './memory-store.js';

/**
 * The stamps of names and of removed names; `undefined`: changed at an unknown time. A name without an item here has no
 * stamp.
 */
export type MemoryStamps = Map<TallyId, NameStamp | undefined>;

/** For a {@link MemoryMappingStore} whose names are merged with those of other places. */
export interface MemoryStamping {
  /** Default: no stamps. */
  readonly stamps?: MemoryStamps;
  /** Without one, written names have no stamp. */
  readonly source?: StampSource;
}

/** A {@link MappingStore} in memory. Its data lives as long as the given `names`. */
export class MemoryMappingStore extends MemoryStore implements MappingStore {
  readonly #names: Map<TallyId, Name>;
  readonly #journal: MemoryJournal | undefined;
  readonly #stamps: MemoryStamps;
  readonly #source: StampSource | undefined;
  #revision = 0;

  /** @param journal Gets each change. */
  constructor(
    names: Map<TallyId, Name> = new Map<TallyId, Name>(),
    journal?: MemoryJournal,
    { stamps = new Map(), source }: MemoryStamping = {},
  ) {
    super();
    this.#names = names;
    this.#journal = journal;
    this.#stamps = stamps;
    this.#source = source;
  }

  read(): Promise<Mapping> {
    return this.run(() => Promise.resolve(createMapping(this.#names)));
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.run(() => {
      const associations = [...createMapping(this.#names)];
      return Promise.resolve({
        page: (after, limit) => this.run(() => Promise.resolve(pageOf(associations, after, limit))),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      });
    });
  }

  get(id: TallyId): Promise<Name | undefined> {
    return this.run(() => Promise.resolve(this.#names.get(id)));
  }

  put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.run(() => {
      const outcome = this.#names.has(id) ? 'replaced' : 'added';
      this.#change([[id, name]]);
      return Promise.resolve(outcome);
    });
  }

  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome> {
    if (this.#source === undefined) return this.put(id, name);
    const node = this.#node;
    const nowMs = this.#source.now();
    return this.run(() => {
      const outcome = this.#names.has(id) ? 'replaced' : 'added';
      this.write([{ id, name, stamp: restoredStamp(name, this.stampedOf(id), { knownAt, nowMs, node }) }]);
      return Promise.resolve(outcome);
    });
  }

  remove(id: TallyId): Promise<boolean> {
    return this.run(() => {
      const wasThere = this.#names.has(id);
      this.#change([[id, undefined]]);
      return Promise.resolve(wasThere);
    });
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    return this.run(() => {
      const before = new Map<TallyId, Name>();
      for (const id of changes.keys()) {
        const had = this.#names.get(id);
        if (had !== undefined) before.set(id, had);
      }
      this.#change(changes);
      return Promise.resolve(before);
    });
  }

  revision(): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#revision)));
  }

  /** The name of a tag. For {@link MemoryErasureStore}. */
  nameOf(id: TallyId): Name | undefined {
    return this.#names.get(id);
  }

  /** The stamp of a name, or of a removed name, if it has one. For {@link MemoryErasureStore}. */
  stampOf(id: TallyId): Pick<StampedName, 'stamp'> | undefined {
    return this.#stamps.has(id) ? { stamp: this.#stamps.get(id) } : undefined;
  }

  /** All tags that have a name, or had one. For {@link MemoryErasureStore} and {@link MemoryStampedNames}. */
  tags(): readonly TallyId[] {
    return [...new Set([...this.#names.keys(), ...this.#stamps.keys()])];
  }

  /** Erases the name of a tag and its stamp, without a change in the journal. For {@link MemoryErasureStore}. */
  erase(id: TallyId): void {
    this.#stamps.delete(id);
    if (this.#names.delete(id)) this.#revision++;
  }

  /** The name of a tag with its stamp; `undefined` if it never had one. For {@link MemoryStampedNames}. */
  stampedOf(id: TallyId): StampedName | undefined {
    if (!this.#names.has(id) && !this.#stamps.has(id)) return undefined;
    const stamp = this.#stamps.has(id) ? this.#stamps.get(id) : NO_STAMP;
    return { id, name: this.#names.get(id), stamp };
  }

  /** Sets names with their stamps, and writes changes of names to the journal. For {@link MemoryStampedNames}. */
  write(names: readonly StampedName[]): void {
    const told: NameChange[] = [];
    for (const { id, name, stamp } of names) {
      this.#stamps.set(id, stamp);
      const had = this.#names.get(id);
      if (isSameName(had, name)) continue;
      if (name === undefined) this.#names.delete(id);
      else this.#names.set(id, name);
      const action = name === undefined ? 'removed' : had === undefined ? 'added' : 'replaced';
      told.push({ kind: 'name', id, action });
    }
    this.#revision++;
    this.#journal?.append(...told);
  }

  #change(changes: Iterable<readonly [id: TallyId, name: Name | undefined]>): void {
    const names: StampedName[] = [];
    for (const [id, name] of changes) {
      if (name === undefined && !this.#names.has(id)) continue;
      names.push({ id, name, stamp: this.#stampFor(id) });
    }
    this.write(names);
    if (this.#source === undefined) for (const { id } of names) this.#stamps.delete(id);
  }

  get #node(): string {
    return this.#journal?.changesOrigin ?? NOWHERE;
  }

  #stampFor(id: TallyId): NameStamp | undefined {
    const ms = this.#source?.now();
    if (this.#source === undefined || ms === undefined) return undefined;
    return nextStamp(this.#stamps.get(id), { ms, node: this.#node });
  }
}

function pageOf(
  associations: readonly Association[],
  after: TallyId | undefined,
  limit: number,
): readonly Association[] {
  const start = after === undefined ? 0 : firstAfter(associations, after);
  return associations.slice(start, start + limit);
}

function firstAfter(associations: readonly Association[], after: TallyId): number {
  let [low, high] = [0, associations.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const id = associations[middle]?.[0];
    if (id !== undefined && compareTallyIds(id, after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
