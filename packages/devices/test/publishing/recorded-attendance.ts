import {
  AttendanceService,
  Calendar,
  createReading,
  type MappingStore,
  parseTallyId,
  Timekeeper,
  toDay,
  toTimestamp,
  type Day,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { ManualClock, MemoryDayStore, MemoryMappingStore, MemoryProvisionalStore } from '@tallybook/testing';
import { MemoryJournal } from '../../../store-memory/src/index.js';
import type { PublisherDependencies } from '../../src/index.js';

/** Day and time of the clock at the start. */
export const day: Day = toDay(20_413);
export const at: Timestamp = toTimestamp(1_763_700_000);

/** The id of a tag, by number. */
export function tag(number: number): TallyId {
  return parseTallyId((0xa0000000 + number).toString(16));
}

/** An attendance service over stores in memory, with taps and the journal that publishers follow. */
export class RecordedAttendance {
  readonly clock = new ManualClock();
  readonly journal: MemoryJournal;
  readonly days: MemoryDayStore;
  readonly mapping: MemoryMappingStore;
  readonly provisional: MemoryProvisionalStore;
  readonly names: MappingStore;
  readonly timekeeper = new Timekeeper(this.clock, { builtAt: toTimestamp(1_700_000_000) });
  readonly service: AttendanceService;

  constructor(journal: MemoryJournal = new MemoryJournal()) {
    this.journal = journal;
    this.days = new MemoryDayStore(undefined, journal);
    this.mapping = new MemoryMappingStore(undefined, journal);
    this.provisional = new MemoryProvisionalStore(undefined, journal);
    this.names = this.mapping;
    const { days, mapping, provisional, timekeeper } = this;
    this.service = new AttendanceService(
      { days, mapping, provisional, calendar: new Calendar(), timekeeper },
      { repeatWindowMs: 0 },
    );
  }

  get dependencies(): PublisherDependencies {
    const { journal, mapping, timekeeper, service: attendance } = this;
    return { journal, mapping, timekeeper, attendance };
  }

  async open(): Promise<this> {
    for (const each of [this.days, this.mapping, this.provisional, this.journal, this.service])
      await each.open();
    return this;
  }

  tap(id: TallyId, reader = 'door'): Promise<void> {
    return this.service.take(createReading(this.clock, reader, id));
  }
}
