import { Emitter, NameService, type AttendanceEvent } from '@tallybook/domain';
import { ManualClock, MemoryJournal, MemoryMappingStore } from '@tallybook/testing';
import type { EventFeedParts } from '../src/index.js';

/** What an event feed needs, without a service. */
export class FeedParts implements EventFeedParts {
  readonly attendance = { events: new Emitter<AttendanceEvent>() };
  readonly mapping = new MemoryMappingStore();
  readonly names = new NameService(this.mapping);
  readonly journal: MemoryJournal;
  readonly clock = new ManualClock();
  readonly faults: unknown[] = [];

  constructor(journal: MemoryJournal = new MemoryJournal()) {
    this.journal = journal;
  }

  async open(): Promise<this> {
    await this.mapping.open();
    await this.journal.open();
    return this;
  }

  onFault = (error: unknown): void => void this.faults.push(error);
}
