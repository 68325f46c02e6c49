import assert from 'node:assert/strict';
import {
  carriedKeyOf,
  DAY_MAX,
  isTallybookError,
  parseGroupId,
  parsePersonId,
  toCarried,
  toDay,
  type JournalLimits,
  type Lifecycle,
  type Storage,
  type TallyId,
} from '@tallybook/domain';
import { noPeopleRows, type RecordFacets, type NewCorrection } from '@tallybook/domain/record';
import type { AccessFacets } from '@tallybook/domain/access';
import type { PersonalFacets } from '@tallybook/domain/personal';
import type { SyncFacets, StampSource } from '@tallybook/domain/sync';
import { accessStoreContract } from './contracts/access/access-store.js';
import { auditStoreContract } from './contracts/audit-store.js';
import { receiptStoreContract } from './contracts/devices/receipt-store.js';
import { ada, at, bob, day, lovelace } from './contracts/fixtures.js';
import { lifecycleContract } from './contracts/lifecycle.js';
import { mappingStoreContract } from './contracts/names/mapping-store.js';
import { peopleStoreContract } from './contracts/people/people-store.js';
import type { PeopleStores } from './contracts/people/people-subject.js';
import { stampedNamesContract } from './contracts/names/stamped-names.js';
import type { StampedNamesStores } from './contracts/names/stamped-subject.js';
import { correctionStoreContract } from './contracts/record/correction-store.js';
import { dayStoreContract } from './contracts/record/day-store.js';
import { erasureStoreContract } from './contracts/record/erasure/erasure-store.js';
import type { ErasureStores } from './contracts/record/erasure/erasure-subject.js';
import { journalContract } from './contracts/record/journal.js';
import type { JournalStores } from './contracts/record/journal-subject.js';
import { provisionalStoreContract } from './contracts/record/provisional-store.js';
import { snapshotSourceContract } from './contracts/record/snapshot-source.js';
import type { StoreContractOptions } from './contracts/store-subject.js';
import { stationStoreContract } from './contracts/sync/station-store.js';
import { facetOf } from './facet-of.js';
import { onSubject, runCases, type ContractCase, type Deviation, type TestRunner } from './runner.js';

type AllFacets = Required<Omit<Storage, 'isShared' | 'isJournalVolatile'>> &
  RecordFacets &
  AccessFacets &
  PersonalFacets &
  SyncFacets;

/** A storage under test: what it has besides the facets that every storage has is proven too. */
export type ProvenStorage = Storage & Partial<AllFacets>;

/** A facet of a storage, by its name. */
export type FacetName = Exclude<keyof AllFacets, keyof Lifecycle>;

const facetNames: readonly FacetName[] = [
  ...(['access', 'audit', 'corrections', 'days', 'erasures', 'journal', 'mapping', 'people'] as const),
  ...(['provisional', 'receipts', 'snapshots', 'stampedNames', 'stations'] as const),
];

/** Options that a case gives to a storage; all of them have defaults. */
export interface ProvenOptions {
  readonly journal?: JournalLimits;
  readonly stamps?: StampSource;
}

/** Faults that a test makes in what is below the storage: the disk, or the connection to a database. */
export interface StorageFaults {
  /**
   * Lets the nth write from now, counted from 1, and all later ones fail: no part of them becomes durable. The returned function
   * ends that.
   */
  readonly failAt: (write: number) => () => void;
  /** Lets all reads fail until the returned function is called. */
  readonly failReads?: () => () => void;
  /** Delays writes before they are durable, until the returned function is called. */
  readonly hold?: () => () => void;
  /** Lets the next write happen, and loses its answer. */
  readonly loseNextAnswer?: () => void;
  /** The number of snapshots for which something is held now: files, rows, a transaction. */
  readonly openSnapshots?: () => Promise<number> | number;
}

/** A storage under test, with its own data. */
export interface StorageSubject {
  /** Not opened yet, and empty. */
  readonly storage: ProvenStorage;
  /** Makes another storage over the same data, not opened yet. It is called when the storage before is closed. */
  readonly reopen: (options: ProvenOptions) => Promise<ProvenStorage> | ProvenStorage;
  /** Closes what is open, and removes the data. */
  readonly cleanup: () => Promise<void>;
  /** Absent: the cases that need faults are skipped. `ProofOptions.faults` says so too. */
  readonly faults?: StorageFaults;
}

/** The suites of a proof, by what they check. */
export type SuiteName = FacetName | 'storage';

export interface ProofOptions {
  readonly name: string;
  /** The facets that the storage has. */
  readonly facets: readonly FacetName[];
  /** Whether other processes may write to the same data at the same time; default false. */
  readonly isShared?: boolean;
  /** The faults that subjects have. */
  readonly faults?: readonly (keyof StorageFaults)[];
  readonly make: (options: ProvenOptions) => Promise<StorageSubject> | StorageSubject;
  /** Cases that the storage does not pass for a good reason, by their suite. */
  readonly deviations?: Partial<Readonly<Record<SuiteName, readonly Deviation[]>>>;
}

/**
 * Proves that a storage keeps its promises: those of each facet, and those of the whole.
 *
 * It cannot prove what survives a power cut, nor that a write reaches the disk before it resolves (`synchronous=OFF` passes). It
 * prints that; the recorder in `reliability/cuts` of the Tallybook repository proves it.
 */
export function proveStorage(runner: TestRunner, options: ProofOptions): void {
  const { name, facets, make, faults = [], deviations = {} } = options;
  const has = (facet: FacetName): boolean => facets.includes(facet);
  const can = (fault: keyof StorageFaults): boolean => faults.includes(fault);
  lifecycleContract(runner, {
    name,
    make: async () => {
      const { storage, cleanup } = await make({});
      return { resource: storage, cleanup };
    },
    operations: { mapping: ({ mapping }) => mapping.read(), snapshots: takeAndDispose },
  });
  const whole = [
    facetCase(facets),
    ...(can('failAt') ? writeFaultCases(facets) : []),
    ...(can('failReads') ? readFaultCases(facets) : []),
    ...(can('openSnapshots') ? snapshotCases : []),
  ];
  runCases(runner, 'a Storage', whole, { name, make, deviations: deviations.storage });
  sayWhatIsNotProven(runner, name, can);

  const of = <Name extends FacetName>(facet: Name): StoreContractOptions<AllFacets[Name]> => ({
    name,
    durable: true,
    make: async () => {
      const { storage, reopen, cleanup } = await make({});
      const part = (of: ProvenStorage) => facetOf(of as AllFacets & ProvenStorage, facet);
      return { store: part(storage), reopen: async () => part(await reopen({})), cleanup };
    },
    ...(deviations[facet] && { deviations: deviations[facet] }),
  });
  mappingStoreContract(runner, of('mapping'));
  dayStoreContract(runner, of('days'));
  if (has('provisional')) provisionalStoreContract(runner, of('provisional'));
  if (has('corrections')) correctionStoreContract(runner, of('corrections'));
  if (has('receipts')) receiptStoreContract(runner, of('receipts'));
  if (has('access')) accessStoreContract(runner, of('access'));
  if (has('audit')) auditStoreContract(runner, of('audit'));
  if (has('stations')) stationStoreContract(runner, of('stations'));
  snapshotSourceContract(runner, {
    name,
    make: async () => {
      const { storage, cleanup } = await make({});
      await storage.open();
      const { mapping, days, snapshots, provisional, corrections, people } = storage;
      return {
        ...{ mapping, days, snapshots, cleanup },
        ...(provisional && { provisional }),
        ...(corrections && { corrections }),
        ...(people && { people }),
      };
    },
    ...(deviations.snapshots && { deviations: deviations.snapshots }),
  });
  proveJournal(runner, options);
  if (has('stampedNames') && has('erasures')) proveErasuresAndStamps(runner, options);
  if (has('people')) provePeople(runner, options);
}

/** A subject that is open, and can be restarted with other options. */
async function opened<Stores>(
  { make }: Pick<ProofOptions, 'make'>,
  first: ProvenOptions,
  partsOf: (storage: ProvenStorage) => Stores,
) {
  const subject = await make(first);
  let { storage } = subject;
  await storage.open();
  const restart = async (options: ProvenOptions): Promise<Stores> => {
    await storage.close();
    storage = await subject.reopen(options);
    await storage.open();
    return partsOf(storage);
  };
  const cleanup = async (): Promise<void> => {
    await storage.close();
    await subject.cleanup();
  };
  return { ...partsOf(storage), restart, cleanup, faults: subject.faults };
}

const recordParts = (storage: ProvenStorage): JournalStores => {
  const { mapping, days, provisional, corrections } = storage as AllFacets & ProvenStorage;
  return { journal: facetOf(storage, 'journal'), mapping, days, provisional, corrections };
};

const allParts = (storage: ProvenStorage): ErasureStores & StampedNamesStores => ({
  ...recordParts(storage),
  erasures: facetOf(storage as AllFacets & ProvenStorage, 'erasures'),
  stamped: facetOf(storage as AllFacets & ProvenStorage, 'stampedNames'),
  ...('people' in storage && { people: facetOf(storage as AllFacets & ProvenStorage, 'people') }),
});

function proveJournal(runner: TestRunner, options: ProofOptions): void {
  const { name, faults = [], deviations = {} } = options;
  journalContract(runner, {
    name,
    durable: true,
    hasFaults: faults.includes('failAt') && faults.includes('hold'),
    losesAnswers: faults.includes('loseNextAnswer'),
    lacks: (['provisional', 'corrections'] as const).filter((facet) => !options.facets.includes(facet)),
    make: async (limits) => {
      const its = await opened(options, { journal: limits }, recordParts);
      const { restart, faults: made, ...rest } = its;
      return {
        ...rest,
        restart: () => restart({ journal: limits }),
        ...(made?.hold && { faults: { ...made, failNext: () => made.failAt(1), hold: made.hold } }),
      };
    },
    ...(deviations.journal && { deviations: deviations.journal }),
  });
}

function proveErasuresAndStamps(runner: TestRunner, options: ProofOptions): void {
  const { name, faults = [], deviations = {} } = options;
  erasureStoreContract(runner, {
    name,
    hasFaults: faults.includes('failAt'),
    hasPeople: options.facets.includes('people'),
    make: async () => {
      const its = await opened(options, { stamps: fixedTime }, allParts);
      const { restart, faults: made, ...rest } = its;
      return {
        ...rest,
        restart: () => restart({ stamps: fixedTime }),
        ...(made && { faults: { failAfter: (writes: number) => made.failAt(writes + 1) } }),
      };
    },
    ...(deviations.erasures && { deviations: deviations.erasures }),
  });
  stampedNamesContract(runner, {
    name,
    isShared: options.isShared ?? false,
    make: async (stamps) => {
      const { restart, faults: _, ...rest } = await opened(options, { stamps }, allParts);
      return { ...rest, restart: (source) => restart({ stamps: source }) };
    },
    ...(deviations.stampedNames && { deviations: deviations.stampedNames }),
  });
}

function provePeople(runner: TestRunner, options: ProofOptions): void {
  const partsOf = (storage: ProvenStorage): PeopleStores => ({
    people: facetOf(storage as AllFacets & ProvenStorage, 'people'),
    mapping: storage.mapping,
    journal: storage.journal,
    ...(storage.stampedNames && { stampedNames: storage.stampedNames }),
  });
  peopleStoreContract(runner, {
    name: options.name,
    make: async (stamps) => {
      const { restart, faults: _, ...rest } = await opened(options, { stamps }, partsOf);
      return { ...rest, restart: (source) => restart({ stamps: source }) };
    },
    ...(options.deviations?.people && { deviations: options.deviations.people }),
  });
}

type Make = ProofOptions['make'];

/** A case on an open storage. */
function onStorage(
  title: string,
  body: (storage: ProvenStorage, faults: Partial<StorageFaults>) => Promise<void>,
): ContractCase<Make> {
  return onSubject(
    title,
    (make) => make({ stamps: fixedTime }),
    async ({ storage, faults }) => {
      await storage.open();
      await body(storage, faults ?? {});
    },
  );
}

function noFaults(): never {
  throw new Error('the subject has no faults, and the options say so');
}

function facetCase(facets: readonly FacetName[]): ContractCase<Make> {
  return onStorage('has exactly the facets that it is said to have', async (storage) => {
    const present = facetNames.filter((facet) => storage[facet] !== undefined);
    assert.deepEqual(present, [...facets].sort());
  });
}

async function takeAndDispose({ snapshots }: ProvenStorage): Promise<void> {
  const snapshot = await snapshots.take();
  await snapshot[Symbol.asyncDispose]();
}

const fixedTime: StampSource = { now: () => 1_763_500_000_000 };
const entry = (id: TallyId) => ({ id, first: at(1), last: at(9), count: 5 });
const addition = (second: number): NewCorrection => ({
  ...{ action: 'add', day, id: ada, at: at(second), reason: 'Forgot to tap' },
  ...{ author: 'desk', madeAt: at(90), state: 'pending' },
});
const holder = parsePersonId('00112233445566');
const board = parseGroupId('board');
const occasion = toCarried({
  ...{ kind: 'occasion', id: '1', stamp: [1, 0, 'a'], persons: [holder], tags: [], value: 1 },
});
const stamp = { ms: 1, counter: 0, node: 'a' };
const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' };

/** A write of several rows, and what can be read of it afterwards. */
interface Write {
  readonly facet: FacetName;
  readonly title: string;
  readonly prepare?: (storage: AllFacets) => Promise<unknown>;
  readonly write: (storage: AllFacets) => Promise<unknown>;
  readonly read: (storage: AllFacets) => Promise<unknown>;
}

const writes: readonly Write[] = [
  {
    facet: 'mapping',
    title: 'changes many names',
    prepare: ({ mapping }) => mapping.put(bob, lovelace),
    write: ({ mapping }) => mapping.change(new Map([[ada, lovelace], [bob, undefined]])), // prettier-ignore
    read: async ({ mapping }) => [...(await mapping.read())],
  },
  {
    facet: 'days',
    title: 'records a scan',
    write: ({ days }) => days.record(day, ada, at(1), { reader: 'door' }),
    read: async ({ days }) => [await days.load(day), await days.scans(day, ada)],
  },
  {
    facet: 'days',
    title: 'merges entries',
    write: ({ days }) => days.merge(day, [entry(ada), entry(bob)]),
    read: async ({ days }) => [await days.load(day), await days.scans(day, ada), await days.scans(day, bob)],
  },
  {
    facet: 'days',
    title: 'removes a day',
    prepare: ({ days }) => days.merge(day, [entry(ada), entry(bob)]),
    write: ({ days }) => days.remove(day),
    read: async ({ days }) => [await days.load(day), await days.list(toDay(0), DAY_MAX)],
  },
  {
    facet: 'provisional',
    title: 'adds a provisional scan',
    write: ({ provisional }) =>
      provisional.add({
        id: ada,
        reader: 'door',
        bootId: 'b',
        monotonicMs: 1.5,
        shown: at(0),
        notBefore: at(0),
      }),
    read: ({ provisional }) => provisional.list(),
  },
  {
    facet: 'corrections',
    title: 'adds corrections',
    write: ({ corrections }) => corrections.correct([addition(1), addition(2)]),
    read: ({ corrections }) => corrections.list(day, day),
  },
  {
    facet: 'stampedNames',
    title: 'replaces stamped names',
    write: ({ stampedNames }) =>
      stampedNames.replace([
        { id: ada, name: lovelace, stamp: { ms: 1, counter: 0, node: 'a' } },
        { id: bob, name: lovelace, stamp: { ms: 2, counter: 0, node: 'a' } },
      ]),
    read: ({ stampedNames }) => stampedNames.page(undefined, 10),
  },
  {
    facet: 'people',
    title: 'writes a person, a timeline, a group, a carried row and a name',
    prepare: ({ mapping }) => mapping.put(bob, lovelace),
    write: ({ people }) =>
      people.write(
        {
          persons: new Map([[holder, { id: holder, tags: [ada], aliases: [] }]]),
          timelines: new Map([[ada, { tag: ada, entries: [] }]]),
          groups: new Map([[board, { id: board }]]),
          carried: new Map([[carriedKeyOf(occasion), occasion]]),
          names: new Map([[ada, { id: ada, name: lovelace, stamp }], [bob, undefined]]), // prettier-ignore
        },
        noPeopleRows,
      ),
    read: async ({ people, mapping }) => [
      ...(await people.persons(undefined, 10)),
      ...(await people.timelines(undefined, 10)),
      ...(await people.groups()),
      ...(await people.carried(undefined, 10)),
      ...(await mapping.read()),
    ],
  },
  {
    facet: 'stations',
    title: 'notes the progress of a station',
    write: ({ stations }) =>
      stations.acknowledge('hall', 'run', 7, {
        ...{ heardAt: at(1), status },
        refused: [{ cursor: 5, code: 'TAG_ERASED', message: 'erased' }],
      }),
    read: ({ stations }) => stations.list(),
  },
];

/** No write needs more writes below it than this. */
const WRITES_MAX = 20;

function writeFaultCases(facets: readonly FacetName[]): readonly ContractCase<Make>[] {
  return writes
    .filter(({ facet }) => facets.includes(facet))
    .map((write) => [
      `${write.title} as a whole or not at all, whichever write below it fails`,
      (make) => requireAtomic(write, make),
    ]);
}

/** Lets the first write below the operation fail, then the second, and so on, until none is left to fail. */
async function requireAtomic({ prepare, write, read }: Write, make: Make): Promise<void> {
  const partial: { readonly failed: number; readonly state: unknown }[] = [];
  for (let failed = 1; failed <= WRITES_MAX; failed++) {
    const subject = await make({ stamps: fixedTime });
    let { storage } = subject;
    try {
      await storage.open();
      const all = (): AllFacets => storage as AllFacets & ProvenStorage;
      await prepare?.(all());
      const stateOf = async (): Promise<unknown> => [await read(all()), await journalOf(storage)];
      const before = await stateOf();
      const repair = (subject.faults ?? noFaults()).failAt(failed);
      const error: unknown = await write(all()).then(
        () => undefined,
        (reason: unknown) => reason ?? new Error('rejected with nothing'),
      );
      repair();
      if (error === undefined) {
        const after = await stateOf();
        for (const { failed, state } of partial) {
          const isWhole = isSame(state, before) || isSame(state, after);
          assert.ok(isWhole, `a part of it was there after write ${failed} failed: ${JSON.stringify(state)}`);
        }
        return;
      }
      requireCode(error);
      await storage.close();
      storage = await subject.reopen({ stamps: fixedTime });
      await storage.open();
      partial.push({ failed, state: await stateOf() });
    } finally {
      await storage.close();
      await subject.cleanup();
    }
  }
  assert.fail(`it needs more than ${WRITES_MAX} writes`);
}

async function journalOf({ journal }: ProvenStorage): Promise<unknown> {
  const page = await journal.read(0, 100);
  return page.isKnown ? page.entries.map(({ change }) => change) : page;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function requireCode(error: unknown): void {
  const isCoded = (['STORE_WRITE_FAILED', 'STORE_READ_FAILED', 'STORE_CORRUPT'] as const).some((code) =>
    isTallybookError(error, code),
  );
  assert.ok(isCoded, `an error of a library, or none of a store, came through: ${String(error)}`);
}

const reads: readonly (readonly [facet: FacetName, read: (storage: AllFacets) => Promise<unknown>])[] = [
  ['mapping', ({ mapping }) => mapping.read()],
  ['mapping', ({ mapping }) => mapping.get(ada)],
  ['days', ({ days }) => days.load(day)],
  ['days', ({ days }) => days.list(toDay(0), DAY_MAX)],
  ['provisional', ({ provisional }) => provisional.list()],
  ['corrections', ({ corrections }) => corrections.list(toDay(0), DAY_MAX)],
  ['journal', ({ journal }) => journal.read(0, 1)],
  ['snapshots', readSnapshot],
  ['access', ({ access }) => access.read()],
  ['audit', ({ audit }) => audit.read(0, 1)],
  ['receipts', ({ receipts }) => receipts.list()],
  ['stations', ({ stations }) => stations.list()],
  ['people', ({ people }) => people.persons(undefined, 10)],
  ['stampedNames', ({ stampedNames }) => stampedNames.page(undefined, 10)],
];

async function readSnapshot({ snapshots }: Storage): Promise<void> {
  await using snapshot = await snapshots.take();
  for await (const record of snapshot.days()) assert.ok(record.day >= 0);
}

function readFaultCases(facets: readonly FacetName[]): readonly ContractCase<Make>[] {
  return [
    onStorage(
      'rejects with its codes when nothing can be read',
      async (storage, { failReads = noFaults }) => {
        await storage.days.record(day, ada, at(1));
        await storage.mapping.put(ada, lovelace);
        const repair = failReads();
        try {
          let failures = 0;
          for (const [, read] of reads.filter(([facet]) => facets.includes(facet))) {
            await read(storage as AllFacets & ProvenStorage).catch((error: unknown) => {
              failures++;
              requireCode(error);
            });
          }
          assert.ok(failures > 0, 'the fault makes no read fail');
        } finally {
          repair();
        }
      },
    ),
  ];
}

const snapshotCases: readonly ContractCase<Make>[] = [
  onStorage('holds nothing for a snapshot that was disposed of, read or not', async (storage, faults) => {
    const count = faults.openSnapshots ?? noFaults;
    for (const second of [1, 2, 3]) await storage.days.record(toDay(day + second), ada, at(second));
    await storage.mapping.put(ada, lovelace);
    const before = await count();
    await takeAndDispose(storage);
    const names = await storage.mapping.snapshot();
    await names.page(undefined, 1);
    await names[Symbol.asyncDispose]();
    const snapshot = await storage.snapshots.take();
    // The first of several days: the rest is never read.
    for await (const record of snapshot.days()) {
      assert.equal(record.day, day + 1);
      break;
    }
    assert.ok((await count()) > before, 'the count does not rise with an open snapshot');
    await snapshot[Symbol.asyncDispose]();
    await snapshot[Symbol.asyncDispose]();
    assert.equal(await count(), before);
  }),
  onStorage('holds nothing for a snapshot that cannot be read', async (storage, faults) => {
    const count = faults.openSnapshots ?? noFaults;
    await storage.days.record(day, ada, at(1));
    const before = await count();
    const repair = faults.failReads?.();
    await readSnapshot(storage).catch(requireCode);
    repair?.();
    assert.equal(await count(), before);
  }),
];

const needed: Readonly<Record<keyof StorageFaults, string>> = {
  failAt: 'writes are all or nothing, and reject with codes',
  failReads: 'failed reads reject with codes',
  hold: 'no change is shown before it is durable',
  loseNextAnswer: 'a write whose answer is lost happens once',
  openSnapshots: 'snapshots are let go',
};

/** Skipped cases say what is not proven. */
function sayWhatIsNotProven(
  { describe, it }: TestRunner,
  name: string,
  can: (fault: keyof StorageFaults) => boolean,
): void {
  describe(`${name}: not proven here`, () => {
    for (const [fault, promise] of Object.entries(needed) as [keyof StorageFaults, string][])
      if (!can(fault)) it.skip(`${promise} (deviates: its subjects have no fault ${fault})`);
    it.skip('what was acknowledged survives a power cut (deviates: only reliability/cuts cuts the power)');
  });
}
