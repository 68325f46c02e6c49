import {
  ManagedResource,
  openAll,
  type DayStore,
  type Journal,
  type MappingStore,
  type Name,
  type OpenResources,
  type PeopleStore,
  type ProvisionalStore,
  type ReceiptStore,
  type SnapshotSource,
  type Storage,
  type TallyId,
} from '@tallybook/domain';
import type { RecordFacets, CorrectionStore, ErasureStore } from '@tallybook/domain/record';
import type { AccessFacets, AccessStore, AuditEntry, AuditStore } from '@tallybook/domain/access';
import type { PersonalFacets } from '@tallybook/domain/personal';
import type { SyncFacets, StampedNames, StampSource, StationStore } from '@tallybook/domain/sync';
import { MemoryAccessStore, noAccess, type MemoryAccess } from './memory-access-store.js';
import { MemoryAuditStore } from './memory-audit-store.js';
import { MemoryCorrectionStore, noCorrections, type MemoryCorrections } from './memory-correction-store.js';
import { MemoryDayStore, type MemoryDays } from './memory-day-store.js';
import { MemoryErasures, MemoryErasureStore } from './memory-erasure-store.js';
import { MemoryJournal, noChanges, type MemoryChanges } from './memory-journal.js';
import { MemoryMappingStore, type MemoryStamps } from './memory-mapping-store.js';
import { MemoryPeopleStore, noPeople, type MemoryPeople } from './memory-people-store.js';
import {
  MemoryProvisionalStore,
  noProvisionalScans,
  type MemoryProvisionalScans,
} from './memory-provisional-store.js';
import { MemoryReceiptStore, type MemoryReceipts } from './memory-receipt-store.js';
import { MemorySnapshotSource } from './memory-snapshot-source.js';
import { MemoryStampedNames } from './memory-stamped-names.js';
import { MemoryStationStore, type MemoryStations } from './memory-station-store.js';

/** The data of a {@link MemoryStorage}. */
export class MemoryData {
  readonly changes: MemoryChanges = noChanges();
  readonly names: Map<TallyId, Name> = new Map();
  readonly stamps: MemoryStamps = new Map();
  readonly people: MemoryPeople = noPeople();
  readonly days: MemoryDays = new Map();
  readonly scans: MemoryProvisionalScans = noProvisionalScans();
  readonly corrections: MemoryCorrections = noCorrections();
  readonly erasures: MemoryErasures = new MemoryErasures();
  readonly access: MemoryAccess = noAccess();
  readonly audit: AuditEntry[] = [];
  readonly receipts: MemoryReceipts = new Map();
  readonly stations: MemoryStations = new Map();
}

export interface MemoryStorageOptions {
  /** Limits of the journal. Default: 100000 changes. */
  readonly journal?: { readonly limit?: number } | undefined;
  /** The time of changed names, for merging with names of other places. Default: the system clock. */
  readonly stamps?: StampSource | undefined;
  /** Default: none. Several storages may share their data, one open after the other. */
  readonly data?: MemoryData | undefined;
}

/** A storage in memory: for tests and trials. Its data lives as long as its `data`. */
export class MemoryStorage
  extends ManagedResource
  implements Storage, RecordFacets, AccessFacets, PersonalFacets, SyncFacets
{
  readonly mapping: MappingStore;
  readonly days: DayStore;
  readonly journal: Journal;
  readonly snapshots: SnapshotSource;
  readonly people: PeopleStore;
  readonly provisional: ProvisionalStore;
  readonly receipts: ReceiptStore;
  readonly corrections: CorrectionStore;
  readonly erasures: ErasureStore;
  readonly access: AccessStore;
  readonly audit: AuditStore;
  readonly stampedNames: StampedNames;
  readonly stations: StationStore;
  readonly #open: () => Promise<OpenResources>;
  #opened: OpenResources | undefined;

  constructor({
    journal: limits,
    stamps: source = systemTime,
    data = new MemoryData(),
  }: MemoryStorageOptions = {}) {
    super();
    const journal = new MemoryJournal(data.changes, limits);
    const { stamps } = data;
    const { timelines } = data.people;
    const mapping = new MemoryMappingStore(data.names, journal, { stamps, source, timelines });
    const days = new MemoryDayStore(data.days, journal);
    const provisional = new MemoryProvisionalStore(data.scans, journal);
    const corrections = new MemoryCorrectionStore(data.corrections, journal);
    const people = new MemoryPeopleStore(data.people, { mapping, journal, source });
    const parts = { mapping, people, days, provisional, corrections, journal };
    const facets = {
      ...parts,
      erasures: new MemoryErasureStore(parts, data.erasures),
      stampedNames: new MemoryStampedNames(mapping),
      stations: new MemoryStationStore(data.stations),
      access: new MemoryAccessStore(data.access),
      audit: new MemoryAuditStore(data.audit),
      receipts: new MemoryReceiptStore(data.receipts),
    };
    this.mapping = mapping;
    this.days = days;
    this.provisional = provisional;
    this.corrections = corrections;
    this.journal = journal;
    const snapshots = new MemorySnapshotSource(data);
    this.snapshots = { take: () => this.run(() => snapshots.take()) };
    this.people = people;
    this.erasures = facets.erasures;
    this.stampedNames = facets.stampedNames;
    this.stations = facets.stations;
    this.access = facets.access;
    this.audit = facets.audit;
    this.receipts = facets.receipts;
    this.#open = () => openAll(Object.values(facets));
  }

  protected override async onOpen(): Promise<void> {
    this.#opened = await this.#open();
  }

  protected override async onClose(): Promise<void> {
    await this.#opened?.close();
  }
}

const systemTime: StampSource = { now: () => Date.now() };
