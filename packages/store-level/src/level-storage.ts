import type {
  DayStore,
  Journal,
  MappingStore,
  PeopleStore,
  ProvisionalStore,
  ReceiptStore,
  SnapshotSource,
  Storage,
} from '@tallybook/domain';
import {
  DatabaseStorage,
  type RecordFacets,
  type CorrectionStore,
  type ErasureStore,
} from '@tallybook/domain/record';
import type { AccessFacets, AccessStore, AuditStore } from '@tallybook/domain/access';
import type { PersonalFacets } from '@tallybook/domain/personal';
import type { SyncFacets, StampedNames, StampSource, StationStore } from '@tallybook/domain/sync';
import { LevelDatabase } from './database/level-database.js';
import { requireCopy } from './directory/migration-copy.js';
import { rollBack, withFormer } from './directory/roll-back.js';
import { holdsStore, withStoreDirectory } from './directory/store-directory.js';
import { repairStore, type RepairReport } from './repair/repair-store.js';
import { LevelErasureStore } from './stores/erasure/level-erasure-store.js';
import { LevelAccessStore } from './stores/level-access-store.js';
import { LevelAuditStore } from './stores/level-audit-store.js';
import { LevelCorrectionStore } from './stores/level-correction-store.js';
import { LevelDayStore } from './stores/level-day-store.js';
import { LevelJournal } from './stores/level-journal.js';
import { LevelMappingStore } from './stores/level-mapping-store.js';
import { ErasedPeopleStore, LevelPeopleStore } from './stores/level-people-store.js';
import { LevelProvisionalStore } from './stores/level-provisional-store.js';
import { LevelReceiptStore } from './stores/level-receipt-store.js';
import { LevelSnapshotSource } from './stores/level-snapshot-source.js';
import { LevelStampedNames } from './stores/level-stamped-names.js';
import { LevelStationStore } from './stores/level-station-store.js';
import { Stamping } from './stores/naming.js';
import { TimelineTags } from './stores/timeline-tags.js';
import type { LevelDatabaseOptions } from './database/level-options.js';

export interface LevelStorageOptions extends Omit<LevelDatabaseOptions, 'isTemporary'> {
  /** The time of changed names, for merging with names of other places. Default: the system clock. */
  readonly stamps?: StampSource | undefined;
}

/** The facets of a storage over its database. */
export abstract class LevelFacets
  extends DatabaseStorage
  implements Storage, RecordFacets, AccessFacets, PersonalFacets, SyncFacets
{
  readonly mapping: MappingStore;
  readonly people: PeopleStore;
  readonly days: DayStore;
  readonly journal: Journal;
  readonly snapshots: SnapshotSource;
  readonly provisional: ProvisionalStore;
  readonly receipts: ReceiptStore;
  readonly corrections: CorrectionStore;
  readonly erasures: ErasureStore;
  readonly access: AccessStore;
  readonly audit: AuditStore;
  readonly stampedNames: StampedNames;
  readonly stations: StationStore;

  constructor(database: LevelDatabase, stamps: StampSource = systemTime) {
    super(database);
    const stamping = new Stamping(database, stamps);
    const timelines = new TimelineTags(database);
    // What a facet does at the opening is done in this order.
    this.mapping = new LevelMappingStore(database, stamping, timelines);
    this.people = new LevelPeopleStore(database, stamping, timelines);
    this.days = new LevelDayStore(database);
    this.provisional = new LevelProvisionalStore(database);
    this.erasures = new LevelErasureStore(database, new ErasedPeopleStore(database, stamping, timelines));
    this.corrections = new LevelCorrectionStore(database);
    this.journal = new LevelJournal(database);
    this.snapshots = new LevelSnapshotSource(database);
    this.stampedNames = new LevelStampedNames(database, timelines);
    this.stations = new LevelStationStore(database);
    this.access = new LevelAccessStore(database);
    this.audit = new LevelAuditStore(database);
    this.receipts = new LevelReceiptStore(database);
  }
}

/**
 * A storage in a directory with a LevelDB. Opening makes the directory if it is missing, private to its owner.
 *
 * While it is open, other processes and other `LevelStorage`s of this process cannot open the directory: they reject with
 * `STORE_LOCKED`. Do not read the file LOCK of the directory in this process: closing it would drop the lock that the process
 * holds.
 *
 * After a failed write (`STORE_WRITE_FAILED`), for example on a full disk, the directory is opened again before the next write.
 * Until the disk allows that, reads return the data from before the failure. So the storage recovers by itself when the disk
 * does. A storage that is opened on a full disk begins in this state.
 */
export class LevelStorage extends LevelFacets {
  readonly #noticed: { notify?: LevelDatabaseOptions['notify'] };

  /**
   * @param location The directory: a path, or `level:` and a path.
   * @throws {RangeError} if a limit of the journal is out of range.
   */
  constructor(location: string, { stamps, ...options }: LevelStorageOptions = {}) {
    // The database reads it at each notice.
    const noticed: { -readonly [Key in keyof LevelDatabaseOptions]: LevelDatabaseOptions[Key] } = options;
    super(new LevelDatabase(pathOf(location), noticed), stamps);
    this.#noticed = noticed;
  }

  reportTo(report: (error: unknown) => void): void {
    this.#noticed.notify ??= (notice) => {
      if ('error' in notice) report(notice.error);
    };
  }

  /**
   * Whether there is a store at a location, damaged or not. Changes nothing.
   *
   * @throws {TallybookError} `STORE_UNAVAILABLE` if the path holds something else, or cannot be read.
   */
  static exists(location: string): Promise<boolean> {
    return holdsStore(pathOf(location));
  }

  /**
   * Replaces a damaged store by a new one with its sound rows, and keeps the old files in a folder beside the new ones. A sound
   * store does not change. After an interruption, repair again, or open the store.
   *
   * @throws {TallybookError} `STORE_UNAVAILABLE` if the path holds no store, `STORE_LOCKED` if the store is in use,
   * `STORE_FORMAT_UNSUPPORTED` if it is one of another version or program.
   */
  static repair(location: string): Promise<RepairReport> {
    return repairStore(pathOf(location));
  }

  /**
   * Checks that a store can be {@link rollBack rolled back}. The store itself may be open.
   *
   * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no copy from before, with the reason.
   */
  static async requireFormer(location: string): Promise<void> {
    await requireCopy(pathOf(location));
  }

  /**
   * Does work with what a store held before it got its present format: with an open storage of a copy, which is brought to that format
   * too, and removed afterwards. The store itself may be open.
   *
   * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no copy from before, with the reason.
   */
  static withFormer<T>(location: string, work: (former: LevelFacets) => Promise<T>): Promise<T> {
    return withFormer(pathOf(location), async (folder) => {
      await using former = new FormerStorage(folder);
      await former.open();
      return await work(former);
    });
  }

  /**
   * Puts a store back as it was before it got its present format, for the program that wrote that one, and removes the present
   * store. Its journal gets another origin. After an interruption, roll back again, or open the store.
   *
   * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no copy from before, with the reason; `STORE_LOCKED` if the store is in
   * use.
   */
  static rollBack(location: string): Promise<void> {
    return withStoreDirectory(pathOf(location), rollBack);
  }
}

/** The storage of a copy that is only read. */
class FormerStorage extends LevelFacets {
  constructor(folder: string) {
    super(new LevelDatabase(folder, { isTemporary: true }));
  }
}

const systemTime: StampSource = { now: () => Date.now() };

function pathOf(location: string): string {
  return location.startsWith('level:') ? location.slice('level:'.length) : location;
}
