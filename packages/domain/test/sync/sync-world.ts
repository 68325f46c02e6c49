import { setImmediate } from 'node:timers/promises';
import {
  AttendanceService,
  Calendar,
  type MappingStore,
  openAll,
  parseTallyId,
  PeopleService,
  TallybookError,
  Timekeeper,
  toDay,
  toTimestamp,
  type AuditNotes,
  type Day,
  type Name,
  type OpenResources,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import {
  CorrectedDayStore,
  CorrectionService,
  Gate,
  type Correction,
  type NewCorrection,
  type CorrectionStore,
} from '@tallybook/domain/record';
import { ErasureService, parseKeep } from '@tallybook/domain/personal';
import { GuestRetention } from '../../src/personal/guest-retention.js';
import {
  CentreSync,
  guardCorrections,
  guardMapping,
  parseSnapshotPart,
  parseSyncAnswer,
  parseSyncChanges,
  StationSync,
  type StationStatus,
  type ReadSnapshotPart,
  type SyncAnswer,
  type SyncBatch,
  type SyncChanges,
  type SyncNotes,
  type SyncPosition,
  type SyncTransport,
} from '@tallybook/domain/sync';
import {
  ManualClock,
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryErasures,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryPeopleStore,
  MemoryProvisionalStore,
  MemoryStampedNames,
  MemoryStationStore,
  noChanges,
  noCorrections,
  noPeople,
  noProvisionalScans,
  type MemoryChanges,
  type MemoryDays,
  type MemoryStamps,
  type MemoryStations,
} from '@tallybook/testing';
import { testOn } from '../fixtures/test-on.js';
import { PeopleMapping } from '../../src/people/people-mapping.js';
import { addition } from '../fixtures/addition.js';

export const ada: TallyId = parseTallyId('04A2B3C4D5');
export const bob: TallyId = parseTallyId('0006547886');
export const lovelace: Name = { first: 'Ada', last: 'Lovelace' };
export const babbage: Name = { first: 'Charles', last: 'Babbage' };
export const grace: Name = { first: 'Grace', last: 'Hopper' };
/** Start of all clocks, on day 20413. */
export const NOW = 1_763_700_000;
export const TODAY: Day = toDay(20_413);
export const at = (seconds: number): Timestamp => toTimestamp(NOW + seconds);
export const quiet: StationStatus = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };

/** Contents of the stores of a place. They outlive the store objects. */
export class Contents {
  changes: MemoryChanges = noChanges();
  names = new Map<TallyId, Name>();
  stamps: MemoryStamps = new Map();
  people = noPeople();
  days: MemoryDays = new Map();
  scans = noProvisionalScans();
  corrections = noCorrections();
  erased = new MemoryErasures();
  stations: MemoryStations = new Map();

  /** Like a copy of the files. */
  copy(): Contents {
    const { changes, names, stamps, people, days, scans, corrections, erased, stations } = this;
    const all = { changes, names, stamps, people, days, scans, corrections, stations };
    return Object.assign(new Contents(), structuredClone(all), { erased: erased.copy() });
  }
}

/** Stores and use cases of one device. */
export class Place implements AsyncDisposable {
  readonly contents: Contents;
  readonly clock = new ManualClock(NOW);
  readonly timekeeper: Timekeeper;
  readonly calendar = new Calendar();
  readonly journal: MemoryJournal;
  readonly mapping: MemoryMappingStore;
  readonly stamped: MemoryStampedNames;
  readonly people: MemoryPeopleStore;
  /** Acts on persons and tags. */
  readonly persons: PeopleService;
  readonly eraser: ErasureService;
  readonly days: MemoryDayStore;
  readonly provisional: MemoryProvisionalStore;
  readonly corrections: MemoryCorrectionStore;
  readonly erasures: MemoryErasureStore;
  readonly stations: MemoryStationStore;
  readonly #opened: OpenResources[] = [];

  constructor(contents: Contents = new Contents(), options: { readonly journalLimit?: number } = {}) {
    this.contents = contents;
    this.timekeeper = new Timekeeper(this.clock);
    this.journal = new MemoryJournal(
      contents.changes,
      options.journalLimit === undefined ? {} : { limit: options.journalLimit },
    );
    const source = { node: contents.changes.origin, now: () => this.#nowMs() };
    const { stamps } = contents;
    const { timelines } = contents.people;
    this.mapping = new MemoryMappingStore(contents.names, this.journal, { stamps, source, timelines });
    const beside = { mapping: this.mapping, journal: this.journal, source };
    this.people = new MemoryPeopleStore(contents.people, beside);
    this.persons = new PeopleService({
      ...{ people: this.people, timekeeper: this.timekeeper, calendar: this.calendar },
    });
    this.stamped = new MemoryStampedNames(this.mapping);
    this.days = new MemoryDayStore(contents.days, this.journal);
    this.provisional = new MemoryProvisionalStore(contents.scans, this.journal);
    this.corrections = new MemoryCorrectionStore(contents.corrections, this.journal);
    const { journal, mapping, people, days, provisional, corrections } = this;
    this.erasures = new MemoryErasureStore(
      { journal, mapping, people, days, provisional, corrections },
      contents.erased,
    );
    const { erasures, timekeeper } = this;
    this.eraser = new ErasureService({ erasures, people, timekeeper });
    this.stations = new MemoryStationStore(contents.stations);
  }

  /** The names of the holders of tags, as programs see them that know nothing of persons. */
  get names(): MappingStore {
    return new PeopleMapping(this.mapping, this.persons);
  }

  #nowMs(): number | undefined {
    return this.timekeeper.trust().isTrusted ? this.timekeeper.now() * 1_000 : undefined;
  }

  async open(...more: Parameters<typeof openAll>[0]): Promise<void> {
    const { journal, mapping, stamped, people, days, provisional, corrections, erasures, stations } = this;
    const stores = [journal, mapping, stamped, people, days, provisional, corrections, erasures, stations];
    this.#opened.push(await openAll([...stores, ...more]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opened of this.#opened.splice(0)) await opened.close();
  }

  /** The part of the record that tests compare. */
  record(): {
    readonly scans: readonly string[];
    readonly names: readonly string[];
    readonly corrections: readonly string[];
  } {
    const { days, names, corrections } = this.contents;
    const scans = [...days].flatMap(([day, record]) =>
      [...record].flatMap(([id, { scans: seconds }]) =>
        [...seconds.keys()].map((second) => `${day} ${id} ${second}`),
      ),
    );
    return {
      scans: scans.sort(),
      names: [...names].map(([id, { first, last }]) => `${id} ${first} ${last}`).sort(),
      corrections: [...corrections.byNumber.values()]
        .map((each: Correction) => `${each.day} ${each.id} ${each.at} ${each.action} ${each.state}`)
        .sort(),
    };
  }
}

export interface CentreOptions {
  /** Whether its storage has persons. Default: yes. */
  readonly hasPeople?: boolean;
}

export class Centre extends Place {
  keepFrom: Day | undefined;
  /** Keeps guests for 30 days. */
  readonly guests: GuestRetention;
  readonly sync: CentreSync;

  constructor(contents?: Contents, audit?: AuditNotes, { hasPeople = true }: CentreOptions = {}) {
    super(contents);
    const { people, days, provisional, corrections, erasures, calendar, timekeeper } = this;
    this.guests = new GuestRetention(
      {
        ...{ people, days, provisional, corrections, erasures, calendar, timekeeper },
        attendance: { eraseTags: (_, erase) => erase() },
      },
      parseKeep('30days'),
    );
    this.sync = new CentreSync({
      ...this.parts(),
      ...(!hasPeople && { people: undefined }),
      keepFrom: () => Promise.resolve(this.keepFrom),
      guestLimit: () => this.guests.limit(),
      ...(audit && { audit }),
    });
  }

  static async open(contents?: Contents, audit?: AuditNotes, options?: CentreOptions): Promise<Centre> {
    const centre = new Centre(contents, audit, options);
    await centre.open(centre.sync);
    return centre;
  }

  /** Sends items like the station `gate`. */
  async take(...items: readonly unknown[]): Promise<SyncAnswer> {
    const after = await this.stations.progress('gate', 'run');
    const numbered = items.map((item, index) => ({ ...(item as object), cursor: after + index + 1 }));
    const batch = { run: 'run', after, through: after + items.length, items: numbered, status: quiet };
    return this.sync.push('gate', batch);
  }

  parts(): ConstructorParameters<typeof CentreSync>[0] {
    const { days, stamped, people, corrections, erasures, timekeeper, journal, stations, clock } = this;
    return { days, stamped, people, corrections, erasures, timekeeper, journal, stations, clock };
  }
}

/** What happens to a call to the centre. */
export type Fate = 'arrives' | 'lost' | 'answer-lost' | 'twice';

/** Calls the centre with JSON, over a network that a test can break. */
export class FakeTransport implements SyncTransport {
  centre: Centre;
  readonly #name: string;
  fate: () => Fate = () => 'arrives';
  readonly batches: SyncBatch[] = [];
  snapshots = 0;
  readonly #underWay = new Set<(error: unknown) => void>();

  constructor(centre: Centre, name: string) {
    this.centre = centre;
    this.#name = name;
  }

  push(batch: SyncBatch): Promise<SyncAnswer> {
    this.batches.push(batch);
    return this.#call(() => this.centre.sync.push(this.#name, overTheWire(batch)), parseSyncAnswer);
  }

  changes(after: SyncPosition | undefined, waitMs: number): Promise<SyncChanges> {
    return this.#call(() => this.centre.sync.changes(after, waitMs), parseSyncChanges);
  }

  async *snapshot(): AsyncGenerator<ReadSnapshotPart, void, undefined> {
    this.snapshots++;
    for await (const part of this.centre.sync.snapshot()) {
      if (this.fate() !== 'arrives') throw unreachable();
      yield parseSnapshotPart(overTheWire(part));
    }
  }

  abort(): void {
    for (const reject of this.#underWay) reject(unreachable());
  }

  async #call<T>(work: () => Promise<T>, parse: (value: unknown) => T): Promise<T> {
    const fate = this.fate();
    if (fate === 'lost') throw unreachable();
    if (fate === 'twice') await work();
    let end: (error: unknown) => void = () => undefined;
    const aborted = new Promise<never>((_, reject) => this.#underWay.add((end = reject)));
    const answer = overTheWire(
      await Promise.race([work(), aborted]).finally(() => this.#underWay.delete(end)),
    );
    if (fate === 'answer-lost') throw unreachable();
    return parse(answer);
  }
}

function unreachable(): TallybookError {
  return new TallybookError('UPSTREAM_UNAVAILABLE', 'the network is away');
}

function overTheWire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export interface StationOptions {
  readonly journalLimit?: number;
  readonly notes?: SyncNotes;
}

export class Station extends Place {
  readonly name: string;
  readonly transport: FakeTransport;
  readonly edits: Gate = new Gate(1);
  readonly guardedCorrections: CorrectionStore = guardCorrections(
    this.corrections,
    this.edits,
    this.erasures,
  );
  override get names(): MappingStore {
    return new PeopleMapping(guardMapping(this.mapping, this.edits, this.erasures), this.persons);
  }

  readonly corrected: CorrectedDayStore = new CorrectedDayStore({
    days: this.days,
    corrections: this.guardedCorrections,
  });
  readonly correcting: CorrectionService = new CorrectionService({
    days: this.corrected,
    corrections: this.guardedCorrections,
    calendar: this.calendar,
    timekeeper: this.timekeeper,
  });
  readonly attendance: AttendanceService = new AttendanceService(
    {
      ...{ mapping: this.mapping, days: this.corrected, provisional: this.provisional },
      ...{ erasures: this.erasures, calendar: this.calendar, timekeeper: this.timekeeper },
    },
    { repeatWindowMs: 0 },
  );
  readonly faults: unknown[] = [];
  readonly sync: StationSync;

  constructor(name: string, centre: Centre, contents?: Contents, options: StationOptions = {}) {
    super(contents, options);
    this.name = name;
    this.transport = new FakeTransport(centre, name);
    const { days, stamped, people, corrections, erasures, calendar, timekeeper, journal } = this;
    const { provisional, clock, edits, transport } = this;
    this.sync = new StationSync({
      ...{ days, stamped, people, corrections, erasures, calendar, timekeeper, journal, provisional },
      ...{ clock, edits, transport, version: '1.0', random: () => 0.5 },
      ...(options.notes && { notes: options.notes }),
      removeDay: (day) => this.attendance.removeDay(day),
    });
    this.sync.faults.subscribe((error) => this.faults.push(error));
  }

  static async open(
    name: string,
    centre: Centre,
    contents?: Contents,
    options?: StationOptions,
  ): Promise<Station> {
    const station = new Station(name, centre, contents, options);
    await station.open(station.sync);
    return station;
  }

  /** A tap that the attendance service records. */
  async tap(id: TallyId, seconds: number, day: Day = TODAY): Promise<void> {
    await this.days.record(day, id, at(seconds), { reader: 'door' });
  }
}

/** Runs everything that is possible without time passing. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await setImmediate();
}

/** Lets time pass at all places, and runs the work that falls due. */
export async function pass(places: readonly Place[], seconds: number): Promise<void> {
  await settle();
  for (let second = 0; second < seconds; second++) {
    for (const { clock } of places) clock.advance(1_000);
    await settle();
  }
}

/** A correction of today: a forgotten tap. */
export function forgotten(id: TallyId, seconds: number, more: Partial<NewCorrection> = {}): NewCorrection {
  return addition({ day: TODAY, id, at: at(seconds), madeAt: at(seconds + 1), ...more });
}

/** A centre, and the station `gate`. */
async function openBoth(): Promise<{ centre: Centre; station: Station } & AsyncDisposable> {
  const centre = await Centre.open();
  const station = await Station.open('gate', centre);
  return {
    ...{ centre, station },
    [Symbol.asyncDispose]: async () => {
      await station[Symbol.asyncDispose]();
      await centre[Symbol.asyncDispose]();
    },
  };
}

export const itAtCentre = testOn(() => Centre.open());
export const itAtStation = testOn(openBoth);
/** The station has met its centre. */
export const itWhenMet = testOn(async () => {
  const both = await openBoth();
  await settle();
  return both;
});
