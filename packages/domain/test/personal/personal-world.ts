import { json } from 'node:stream/consumers';
import {
  AttendanceService,
  Calendar,
  openAll,
  parseTallyId,
  Timekeeper,
  toTimestamp,
  type Indication,
  type Name,
  type TallyId,
} from '@tallybook/domain';
import {
  BackupService,
  CorrectedDayStore,
  CorrectionService,
  RangeService,
  type BackupDependencies,
} from '@tallybook/domain/record';
import { ErasureService, parseKeep, personData, RetentionService } from '@tallybook/domain/personal';
import {
  ManualClock,
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
  MemorySnapshotSource,
  noCorrections,
  noProvisionalScans,
  type MemoryDays,
} from '@tallybook/testing';
import { listOf, reading } from '../fixtures/streams.js';
import { notingIn, type Note } from '../fixtures/notes.js';
import { testOn } from '../fixtures/test-on.js';

export const ada: TallyId = parseTallyId('04A2B3C4D5');
export const bob: TallyId = parseTallyId('0006547886');
/** A time on day 20413: the clock starts here. */
export const NOW = 1_763_700_000;
export const TODAY = 20_413;

/** Backups by name. */
class KeptBackups {
  readonly files = new Map<string, { readonly at: number; readonly ids: readonly TallyId[] }>();

  holding(ids: ReadonlySet<string>): Promise<readonly string[]> {
    return Promise.resolve(
      [...this.files].filter(([, file]) => file.ids.some((id) => ids.has(id))).map(([name]) => name),
    );
  }

  madeBefore(at: number): Promise<readonly string[]> {
    return Promise.resolve([...this.files].filter(([, file]) => file.at < at).map(([name]) => name));
  }

  remove(names: readonly string[]): Promise<void> {
    for (const name of names) this.files.delete(name);
    return Promise.resolve();
  }
}

/** Services for personal data over stores in memory. */
export class PersonalWorld implements AsyncDisposable {
  readonly clock = new ManualClock(NOW);
  readonly contents = {
    names: new Map<TallyId, Name>(),
    days: new Map() as MemoryDays,
    scans: noProvisionalScans(),
    corrections: noCorrections(),
  };
  readonly journal = new MemoryJournal();
  readonly mapping = new MemoryMappingStore(this.contents.names, this.journal);
  readonly days = new MemoryDayStore(this.contents.days, this.journal);
  readonly provisional = new MemoryProvisionalStore(this.contents.scans, this.journal);
  readonly corrections = new MemoryCorrectionStore(this.contents.corrections, this.journal);
  readonly corrected = new CorrectedDayStore({ days: this.days, corrections: this.corrections });
  readonly stores = { mapping: this.mapping, days: this.days, provisional: this.provisional };
  readonly erasures = new MemoryErasureStore({
    ...this.stores,
    corrections: this.corrections,
    journal: this.journal,
  });
  readonly timekeeper = new Timekeeper(this.clock);
  readonly calendar = new Calendar();
  readonly indications: Indication[] = [];
  readonly attendance = new AttendanceService(
    {
      ...this.stores,
      days: this.corrected,
      erasures: this.erasures,
      calendar: this.calendar,
      timekeeper: this.timekeeper,
    },
    { repeatWindowMs: 0 },
  );
  readonly backups = new KeptBackups();
  readonly notes: Note[] = [];
  readonly audit = notingIn(this.notes);
  readonly service = new ErasureService({
    erasures: this.erasures,
    timekeeper: this.timekeeper,
    attendance: this.attendance,
    backups: this.backups,
    audit: this.audit,
  });
  readonly correcting = new CorrectionService({
    days: this.corrected,
    corrections: this.corrections,
    erasures: this.erasures,
    calendar: this.calendar,
    timekeeper: this.timekeeper,
  });
  readonly #snapshots = new MemorySnapshotSource(this.contents);
  readonly ranges = new RangeService({ ...this.stores, snapshots: this.#snapshots });
  readonly backup = this.backupWith({});

  async open(): Promise<this> {
    this.attendance.indications.subscribe((each) => this.indications.push(each));
    const { mapping, days, corrections, provisional, journal, erasures, attendance } = this;
    await openAll([mapping, days, corrections, provisional, journal, erasures, attendance]);
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.attendance.close();
  }

  /** A backup service with some stores replaced. */
  backupWith(stores: Partial<BackupDependencies>): BackupService {
    return new BackupService({
      ...this.stores,
      corrections: this.corrections,
      snapshots: this.#snapshots,
      erasures: this.erasures,
      timekeeper: this.timekeeper,
      ...stores,
    });
  }

  retention(keep: string | undefined): RetentionService {
    return new RetentionService(
      {
        ...this.stores,
        corrections: this.corrections,
        attendance: this.attendance,
        calendar: this.calendar,
        timekeeper: this.timekeeper,
        backups: this.backups,
        audit: this.audit,
      },
      keep === undefined ? undefined : parseKeep(keep),
    );
  }

  /** The whole backup as lines. */
  export(): Promise<readonly string[]> {
    return listOf(this.backup.export());
  }

  import(lines: readonly string[]): ReturnType<BackupService['import']> {
    return this.backup.import(() => reading(lines));
  }

  async dataOf(id: TallyId): Promise<Readonly<Record<string, unknown>>> {
    const pieces = personData(id, toTimestamp(NOW), { erasures: this.erasures });
    return (await json(pieces)) as Readonly<Record<string, unknown>>;
  }
}

export const itInWorld = testOn(() => new PersonalWorld().open());
