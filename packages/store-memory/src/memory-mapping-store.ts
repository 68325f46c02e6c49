import {
  compareTallyIds,
  createMapping,
  isReservedTallyId,
  isSameName,
  TallybookError,
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
import { changeNames, restoreName } from '@tallybook/domain/record';
import { NO_STAMP, NOWHERE, type Stamp, type StampedName } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import type { MemoryJournal } from './memory-journal.js';
import { MemoryStore } from './memory-store.js';

/**
 * The stamps of names and of removed names; `undefined`: changed at an unknown time. A name without an item here has no
 * stamp.
 */
export type MemoryStamps = Map<TallyId, Stamp | undefined>;

/** For a {@link MemoryMappingStore} whose names are merged with those of other places. */
export interface MemoryStamping {
  /** Default: no stamps. */
  readonly stamps?: MemoryStamps;
  /** Without one, written names have no stamp. */
  readonly source?: StampSource;
  /** The timelines of a {@link MemoryPeopleStore}: only that store writes the names of these tags. Default: there is none. */
  readonly timelines?: ReadonlyMap<TallyId, unknown>;
}

/** A {@link MappingStore} in memory. Its data lives as long as the given `names`. */
export class MemoryMappingStore extends MemoryStore implements MappingStore {
  readonly #names: Map<TallyId, Name>;
  readonly #journal: MemoryJournal | undefined;
  readonly #stamps: MemoryStamps;
  readonly #source: StampSource | undefined;
  readonly #timelines: ReadonlyMap<TallyId, unknown> | undefined;
  #revision = 0;

  /** @param journal Gets each change. */
  constructor(
    names: Map<TallyId, Name> = new Map<TallyId, Name>(),
    journal?: MemoryJournal,
    { stamps = new Map(), source, timelines }: MemoryStamping = {},
  ) {
    super();
    this.#names = names;
    this.#journal = journal;
    this.#stamps = stamps;
    this.#source = source;
    this.#timelines = timelines;
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

  async put(id: TallyId, name: Name): Promise<PutOutcome> {
    return (await this.#change(new Map([[id, name]]))).has(id) ? 'replaced' : 'added';
  }

  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome> {
    const stamps = this.#source;
    if (stamps === undefined) return this.put(id, name);
    return this.#work((names, node) => restoreName(names, { id, name, knownAt }, { stamps, node }));
  }

  async remove(id: TallyId): Promise<boolean> {
    return (await this.#change(new Map([[id, undefined]]))).has(id);
  }

  async change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    const before = [...(await this.#change(changes))];
    return new Map(before.flatMap(([id, { name }]) => (name === undefined ? [] : [[id, name]])));
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
    for (const { id } of names) this.#requireNoTimeline(id);
    const changes = this.writeRows(new Map(names.map((name) => [name.id, name])));
    this.#journal?.append(...changes);
  }

  /** Sets names with their stamps, or removes their rows, and returns what changed. For {@link MemoryPeopleStore}. */
  writeRows(rows: ReadonlyMap<TallyId, StampedName | undefined>): readonly NameChange[] {
    const told: NameChange[] = [];
    for (const [id, row] of rows) {
      if (row === undefined) this.#stamps.delete(id);
      else this.#stamps.set(id, row.stamp);
      const name = row?.name;
      const had = this.#names.get(id);
      if (isSameName(had, name)) continue;
      if (name === undefined) this.#names.delete(id);
      else this.#names.set(id, name);
      const action = name === undefined ? 'removed' : had === undefined ? 'added' : 'replaced';
      told.push({ kind: 'name', id, action });
    }
    this.#revision++;
    return told;
  }

  #requireNoTimeline(id: TallyId): void {
    if (this.#timelines === undefined || !(this.#timelines.has(id) || isReservedTallyId(id))) return;
    throw new TallybookError('TAG_HAS_TIMELINE', 'the name of this tag is that of its holder');
  }

  #change(changes: NameChanges): Promise<ReturnType<typeof changeNames>> {
    return this.#work((names, node) => {
      const stamps = this.#source ?? { now: () => undefined };
      return changeNames(names, changes, { stamps, node });
    });
  }

  #work<T>(work: (names: Parameters<typeof changeNames>[0], node: string) => T): Promise<T> {
    return this.run(async () => {
      const changed = new Map<TallyId, StampedName>();
      const find = (id: TallyId): StampedName | undefined => this.stampedOf(id);
      const result = work({ find, put: (name) => changed.set(name.id, name) }, this.#node);
      this.write([...changed.values()]);
      if (this.#source === undefined) for (const id of changed.keys()) this.#stamps.delete(id);
      return result;
    });
  }

  get #node(): string {
    return this.#journal?.changesOrigin ?? NOWHERE;
  }
}

function pageOf(
  associations: readonly Association[],
  after: TallyId | undefined,
  limit: number,
): readonly Association[] {
  const start = associations.findIndex(([id]) => after === undefined || compareTallyIds(id, after) > 0);
  return start === -1 ? [] : associations.slice(start, start + limit);
}
