import type { AttendanceEvent, AttendanceService, Change, Clock, NameService } from '@tallybook/domain';
import type { BackupService, CorrectionService } from '@tallybook/domain/record';
import { MemoryJournal, noChanges } from './memory-journal.js';

/** Services that announce their writes. */
export interface Announcers {
  readonly attendance: Pick<AttendanceService, 'events' | 'dayChanges'>;
  readonly names: Pick<NameService, 'changes'>;
  readonly backup?: Pick<BackupService, 'changes'>;
  readonly corrections?: Pick<CorrectionService, 'changes'>;
  /** The clock by which the attendance is recorded. */
  readonly clock: Pick<Clock, 'bootId'>;
}

/**
 * A {@link MemoryJournal} of the changes that services announce, for stores that keep no journal.
 *
 * It promises less than a journal of the stores: it begins again with the program, lacks writes of others to the stores, and
 * has writes that changed nothing, such as a name given again.
 */
export class AnnouncedJournal extends MemoryJournal {
  /** @param options `limit`: maximum number of kept changes, default 100000. */
  constructor(
    { attendance, names, backup, corrections, clock }: Announcers,
    options: { readonly limit?: number } = {},
  ) {
    super(noChanges(), options);
    attendance.events.subscribe((event) => this.append(...changesOf(event, clock.bootId)));
    attendance.dayChanges.subscribe((change) => {
      const tells = ({ kind }: Change): boolean => kind === 'scan' || kind === 'correction';
      this.forget((known) => tells(known) && 'day' in known && known.day === change.day);
      this.append(change);
    });
    names.changes.subscribe((changes) => this.append(...changes));
    backup?.changes.subscribe((change) => this.append(change));
    corrections?.changes.subscribe((change) => this.append(change));
  }
}

function changesOf(event: AttendanceEvent, bootId: string): readonly Change[] {
  switch (event.kind) {
    case 'attendance': {
      const { scan, outcome, filed } = event;
      return [{ kind: 'scan', ...scan, outcome, ...(filed !== undefined && { filed }) }];
    }
    case 'provisional': {
      const { sequence, monotonicMs, scan } = event;
      return [{ kind: 'provisional', sequence, id: scan.id, reader: scan.reader, bootId, monotonicMs }];
    }
    case 'repeated':
    case 'scan':
    case 'failed':
    case 'name-unavailable':
    case 'trouble':
      return [];
  }
}
