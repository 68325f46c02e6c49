import {
  isSameName,
  ManagedResource,
  openAll,
  TallybookError,
  type Change,
  type Day,
  type DayStore,
  type Journal,
  type Lifecycle,
  type MappingStore,
  type Name,
  type OpenResources,
  type ProvisionalStore,
  type ReceiptStore,
  type Revision,
  type SnapshotSource,
  type Storage,
  type TallyId,
} from '@tallybook/domain';
import { type RecordFacets, Gate, type Correction, type CorrectionStore } from '@tallybook/domain/record';
import type { AccessFacets, AccessStore, AuditStore } from '@tallybook/domain/access';
import { MemoryJournal } from './memory-journal.js';
import { StoresSnapshotSource } from './stores-snapshot-source.js';

/** Stores of an app. Those with a lifecycle are opened and closed with the storage. */
export interface StorageParts {
  readonly mapping: MappingStore;
  readonly days: DayStore;
  readonly provisional?: ProvisionalStore | undefined;
  readonly corrections?: CorrectionStore | undefined;
  /**
   * Another storage: its users, audit trail and receipts are used, and nothing else. A storage with a record of its own does not
   * fit.
   */
  readonly rest?: RestOfStorage | undefined;
}

/** The storage of what does not belong to the record. */
export type RestOfStorage = Lifecycle &
  Partial<AccessFacets> &
  Partial<Pick<Storage, 'receipts' | 'journal'>>;

/** A storage of {@link StorageParts}: it has what they have. */
export type ComposedFrom<Parts extends StorageParts> = Omit<Storage, 'erasures'> &
  (Parts['corrections'] extends CorrectionStore ? RecordFacets : unknown) &
  (Parts['rest'] extends AccessFacets ? AccessFacets : unknown);

/** The consumer whose position in the journal of the rest is 1 while the record is in other stores. */
export const RECORD_ELSEWHERE = 'record-elsewhere';

type Facets = Storage & Partial<RecordFacets & AccessFacets>;

/**
 * Makes a storage of an app's own stores.
 *
 * Its journal is in memory, and has a new origin at each opening: followers read the record again, and publishers may miss what
 * happened while the app was off. Each change is appended after its write; writes of others to the stores are missing. Writes go
 * to the stores one at a time. Snapshots read one store after another. Erasures, stamps and stations need one transaction for the
 * whole record, so they are absent.
 *
 * @param options `limit`: maximum number of changes in the journal, default 100000.
 * @throws {TallybookError} `INVALID_OPTION` without `mapping` or `days`.
 */
export function composeStorage<Parts extends StorageParts>(
  parts: Parts,
  options: { readonly limit?: number | undefined } = {},
): ComposedFrom<Parts> {
  // An app without types may leave out anything.
  const given: Partial<StorageParts> = parts;
  const missing = (['mapping', 'days'] as const).filter((store) => given[store] === undefined);
  if (missing.length > 0)
    throw new TallybookError('INVALID_OPTION', `composeStorage needs ${missing.join(', ')}`);
  return new ComposedStorage(parts, options) as unknown as ComposedFrom<Parts>;
}

type Run = <T>(work: () => Promise<T>) => Promise<T>;

class ComposedStorage extends ManagedResource implements Facets {
  readonly mapping: MappingStore;
  readonly days: DayStore;
  readonly journal: Journal;
  readonly snapshots: SnapshotSource;
  declare readonly provisional?: ProvisionalStore;
  declare readonly receipts?: ReceiptStore;
  declare readonly corrections?: CorrectionStore;
  declare readonly access?: AccessStore;
  declare readonly audit?: AuditStore;
  readonly isJournalVolatile = true;
  readonly #rest: RestOfStorage | undefined;
  readonly #journal: MemoryJournal;
  readonly #resources: readonly Lifecycle[];
  readonly #begin: () => Promise<void>;
  #opened: OpenResources | undefined;

  constructor({ rest, ...stores }: StorageParts, { limit }: { readonly limit?: number | undefined }) {
    super();
    this.#rest = rest;
    const journal = new MemoryJournal(undefined, limit === undefined ? {} : { limit });
    this.#journal = journal;
    this.journal = journal;
    const run: Run = (work) => this.run(work);
    const turn = new Gate(1);
    const writes: Writes = { write: (work) => run(() => turn.run(work)), journal };
    const { mapping, days, provisional, corrections } = stores;
    this.mapping = whileOpen(mapping, run, writesOfNames(mapping, writes));
    this.days = whileOpen(days, run, writesOfDays(days, writes));
    this.snapshots = whileOpen(new StoresSnapshotSource(stores), run);
    const held = provisional && writesOfProvisional(provisional, writes);
    if (provisional !== undefined) this.provisional = whileOpen(provisional, run, held?.facet);
    this.#begin = held?.begin ?? (() => Promise.resolve());
    if (corrections !== undefined)
      this.corrections = whileOpen(corrections, run, writesOfCorrections(corrections, writes));
    if (rest?.access !== undefined) this.access = whileOpen(rest.access, run);
    if (rest?.audit !== undefined) this.audit = whileOpen(rest.audit, run);
    if (rest?.receipts !== undefined) this.receipts = whileOpen(rest.receipts, run);
    const own: readonly unknown[] = Object.values(stores);
    const lifecycles = own.filter(hasLifecycle);
    this.#resources = rest === undefined ? [...lifecycles, journal] : [rest, ...lifecycles, journal];
  }

  protected override async onOpen(): Promise<void> {
    this.#journal.beginAnew();
    const opened = await openAll(this.#resources);
    try {
      await this.#begin();
      await this.#rest?.journal?.advance(RECORD_ELSEWHERE, 1);
    } catch (error) {
      await opened.close();
      throw error;
    }
    this.#opened = opened;
  }

  protected override async onClose(): Promise<void> {
    await this.#opened?.close();
  }
}

interface Writes {
  /** Writes when no other write is under way. */
  readonly write: Run;
  readonly journal: MemoryJournal;
}

function hasLifecycle(store: unknown): store is Lifecycle {
  return typeof (store as Partial<Lifecycle> | undefined)?.open === 'function';
}

/**
 * A store whose operations reject unless the storage is open; closing waits for them.
 *
 * @param writes Operations in place of those of the store.
 */
function whileOpen<T extends object>(store: T, run: Run, writes: Partial<T> = {}): T {
  return new Proxy(store, {
    get: (target, key) => {
      if (key in writes) return Reflect.get(writes, key);
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) =>
        run(async () => (await Reflect.apply(member as () => unknown, target, args)) as unknown);
    },
  });
}

function writesOfNames(store: MappingStore, { write, journal }: Writes): Partial<MappingStore> {
  const tell = (id: TallyId, before: Name | undefined, name: Name | undefined): void => {
    if (isSameName(before, name)) return;
    const action = name === undefined ? 'removed' : before === undefined ? 'added' : 'replaced';
    journal.append({ kind: 'name', id, action });
  };
  /** A write of one name. */
  const writeOne = <T>(id: TallyId, work: () => Promise<T>): Promise<T> =>
    write(async () => {
      const before = await store.get(id);
      const outcome = await work();
      tell(id, before, await store.get(id));
      return outcome;
    });
  return {
    put: (id, name) => writeOne(id, () => store.put(id, name)),
    restore: (id, name, knownAt) => writeOne(id, () => store.restore(id, name, knownAt)),
    remove: (id) => writeOne(id, () => store.remove(id)),
    change: (changes) =>
      write(async () => {
        const before = await store.change(changes);
        for (const [id, name] of changes) tell(id, before.get(id), name);
        return before;
      }),
  };
}

function writesOfDays(store: DayStore, writes: Writes): Partial<DayStore> {
  const { write, journal } = writes;
  const tellMerged = async (day: Day, before: Revision): Promise<void> => {
    if ((await store.dayRevision(day)) !== before) journal.append({ kind: 'day', day, action: 'merged' });
  };
  return {
    record: (day, id, at, source) =>
      write(async () => {
        const { reader, filed, flags = 0 } = source ?? {};
        const isKnown = (await store.scans(day, id)).includes(at);
        const before = isKnown && flags !== 0 ? await store.dayRevision(day) : undefined;
        const outcome = await store.record(day, id, at, source);
        const given = { ...(filed && { filed }), ...(flags !== 0 && { flags }) };
        if (!isKnown) journal.append({ kind: 'scan', day, id, at, reader, outcome, ...given });
        else if (before !== undefined) await tellMerged(day, before);
        return outcome;
      }),
    merge: (day, entries) =>
      write(async () => {
        const before = await store.dayRevision(day);
        await store.merge(day, entries);
        await tellMerged(day, before);
      }),
    remove: removal(store, 'scan', writes),
  };
}

function removal(
  store: Pick<DayStore, 'remove'>,
  kind: 'scan' | 'correction',
  { write, journal }: Writes,
): DayStore['remove'] {
  return (day) =>
    write(async () => {
      const wasThere = await store.remove(day);
      if (!wasThere) return false;
      journal.forget((change: Change) => change.kind === kind && change.day === day);
      journal.append({ kind: 'day', day, action: 'removed' });
      return true;
    });
}

/** @returns `begin`: called at the opening. */
function writesOfProvisional(
  store: ProvisionalStore,
  { write, journal }: Writes,
): { readonly facet: Partial<ProvisionalStore>; readonly begin: () => Promise<void> } {
  // A new sequence is larger than all before it.
  let latest = 0;
  const facet: Partial<ProvisionalStore> = {
    add: (scan) =>
      write(async () => {
        const sequence = await store.add(scan);
        const { id, reader, bootId, monotonicMs } = scan;
        if (sequence > latest)
          journal.append({ kind: 'provisional', sequence, id, reader, bootId, monotonicMs });
        latest = Math.max(latest, sequence);
        return sequence;
      }),
  };
  const begin = async (): Promise<void> => {
    latest = (await store.list()).at(-1)?.sequence ?? 0;
  };
  return { facet, begin };
}

function writesOfCorrections(store: CorrectionStore, writes: Writes): Partial<CorrectionStore> {
  const { write, journal } = writes;
  const tell = ({ number, day, id }: Correction): void =>
    journal.append({ kind: 'correction', number, day, id });
  return {
    correct: (corrections) =>
      write(async () => {
        const days = [...new Set(corrections.map(({ day }) => day))];
        const before = (await Promise.all(days.map((day) => store.list(day, day)))).flat();
        const states = new Map(before.map(({ number, state }) => [number, state]));
        const corrected = await store.correct(corrections);
        for (const correction of corrected) {
          if (states.get(correction.number) !== correction.state) tell(correction);
          states.set(correction.number, correction.state);
        }
        return corrected;
      }),
    decide: (number, verdict) =>
      write(async () => {
        const before = await store.find(number);
        const decided = await store.decide(number, verdict);
        if (decided !== undefined && before?.state !== decided.state) tell(decided);
        return decided;
      }),
    remove: removal(store, 'correction', writes),
  };
}
