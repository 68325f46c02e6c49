import {
  toTimestamp,
  type Change,
  type Day,
  type Entry,
  type Name,
  type NameChanges,
  type PutOutcome,
  type ProvisionalScan,
  type TallyId,
  type Timestamp,
  type ScanSource,
} from '@tallybook/domain';
import type { Correction, Verdict } from '@tallybook/domain/record';
import {
  MemoryCorrectionStore,
  type MemoryDayStore,
  type MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
} from '@tallybook/testing';
import { DaysOnDisk, journaling, JournalWorld, told } from './journal-world.js';
import { faults } from '../sabotage.js';

/** A journal that misses some changes. */
const without = (isLeftOut: (change: Change) => boolean): typeof JournalWorld =>
  told((change) => (isLeftOut(change) ? [] : [change]));

/** Faults in the changes of a journal. */
export const changeSabotages = faults(JournalWorld, {
  // Content of changes.
  'does not tell of scans': {
    fails: ['tells nothing of a day that is removed and was not there'],
    Fake: without(({ kind }) => kind === 'scan'),
  },
  'does not tell of further scans of a tag': {
    fails: ['has a change when it is acknowledged'],
    Fake: without((change) => change.kind === 'scan' && change.outcome === 'already-counted'),
  },
  'does not tell of provisional scans': {
    fails: ['gives cursors that ascend, one to each change, also of what is done at the same time'],
    Fake: without(({ kind }) => kind === 'provisional'),
  },
  'does not tell of names that are removed': {
    fails: ['tells of names that are added, replaced and removed, and never the names'],
    Fake: without((change) => change.kind === 'name' && change.action === 'removed'),
  },
  'does not tell of days that are removed': {
    fails: ['tells of a day whose corrections are removed, and no longer of them'],
    Fake: without((change) => change.kind === 'day' && change.action === 'removed'),
  },
  'does not tell of days that are merged': {
    fails: ['tells of a day that entries are merged into'],
    Fake: without((change) => change.kind === 'day' && change.action === 'merged'),
  },
  'tells everything twice': {
    fails: ['tells nothing of a name that is the same, or not there'],
    Fake: told((change) => [change, change]),
  },
  'does not know readers': {
    fails: ['tells of a scan that was provisional with its sequence and estimate'],
    Fake: told((change) => [change.kind === 'scan' ? { ...change, reader: undefined } : change]),
  },
  'takes no reader for one without a name': {
    fails: ['tells of a scan with its day, time, reader and outcome'],
    Fake: told((change) => [change.kind === 'scan' ? { ...change, reader: change.reader ?? '' } : change]),
  },
  'takes every scan for the first one': {
    fails: ['tells of a scan with its day, time, reader and outcome'],
    Fake: told((change) => [change.kind === 'scan' ? { ...change, outcome: 'counted' } : change]),
  },
  'has times in 32 bits': {
    fails: ['tells of a scan with its day, time, reader and outcome'],
    Fake: told((change) => [
      change.kind === 'scan' ? { ...change, at: toTimestamp(change.at >>> 0) } : change,
    ]),
  },
  'does not know which provisional scan was filed': {
    fails: ['tells of a scan that was provisional with its sequence and estimate'],
    Fake: told((change) => {
      if (change.kind !== 'scan') return [change];
      const { kind, day, id, at, reader, outcome } = change;
      return [{ kind, day, id, at, reader, outcome }];
    }),
  },
  'forgets estimates': {
    fails: ['tells of a scan that was provisional with its sequence and estimate'],
    Fake: told((change) => [
      change.kind === 'scan' && change.filed !== undefined
        ? { ...change, filed: { sequence: change.filed.sequence } }
        : change,
    ]),
  },
  'rounds moments on the monotonic clock': {
    fails: ['tells of a provisional scan when it is held, and not when it is settled or removed'],
    Fake: told((change) => [
      change.kind === 'provisional' ? { ...change, monotonicMs: Math.round(change.monotonicMs) } : change,
    ]),
  },
  'tells of provisional scans that are settled': class extends JournalWorld {
    static readonly fails = [
      'tells of a provisional scan when it is held, and not when it is settled or removed',
    ];
    override provisional(journal: MemoryJournal): MemoryProvisionalStore {
      return new (class extends MemoryProvisionalStore {
        override async settle(...[sequence, filing]: Parameters<MemoryProvisionalStore['settle']>) {
          const scan = (await this.list()).find((each) => each.sequence === sequence);
          await super.settle(sequence, filing);
          if (scan !== undefined) journal.append(heldOf(scan));
        }
      })(this.scans, journal);
    }
  },
  'has the names in its changes': {
    fails: ['tells of names that are added, replaced and removed, and never the names'],
    Fake: told((change, { names }) => [
      change.kind === 'name' ? { ...change, name: names.get(change.id) } : change,
    ]),
  },
  'takes every name for a new one': {
    fails: [
      'tells of names that are added, replaced and removed, and never the names',
      'tells of what is called at the same time in the order of the calls',
    ],
    Fake: told((change) => [
      change.kind === 'name' && change.action === 'replaced' ? { ...change, action: 'added' } : change,
    ]),
  },
  'tells of names by the order of their tags': class extends JournalWorld {
    static readonly fails = ['tells of names that are changed together one by one, in their order'];
    override mapping(journal: MemoryJournal): MemoryMappingStore {
      return new (class extends MemoryMappingStore {
        override change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
          return super.change(new Map([...changes].sort(([a], [b]) => (a < b ? -1 : 1))));
        }
      })(this.names, journal);
    }
  },
  // Calls that changed nothing.
  'tells of scans that were there already': class extends JournalWorld {
    static readonly fails = ['tells nothing of a scan that was there already'];
    override days(journal: MemoryJournal): MemoryDayStore {
      return new (class extends DaysOnDisk {
        override async record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource) {
          const before = await journal.latest();
          const outcome = await super.record(day, id, at, source);
          const reader = source?.reader;
          if ((await journal.latest()) === before) {
            journal.append({ kind: 'scan', day, id, at, reader, outcome });
          }
          return outcome;
        }
      })(this, journal);
    }
  },
  'tells of every name that is put': class extends JournalWorld {
    static readonly fails = ['tells nothing of a name that is the same, or not there'];
    override mapping(journal: MemoryJournal): MemoryMappingStore {
      return new (class extends MemoryMappingStore {
        override async put(id: TallyId, name: Name): Promise<PutOutcome> {
          const before = await journal.latest();
          const action = await super.put(id, name);
          if ((await journal.latest()) === before) journal.append({ kind: 'name', id, action });
          return action;
        }
      })(this.names, journal);
    }
  },
  'tells of every day that is merged': class extends JournalWorld {
    static readonly fails = ['tells nothing of entries that are merged again, or of none'];
    override days(journal: MemoryJournal): MemoryDayStore {
      return new (class extends DaysOnDisk {
        override async merge(day: Day, entries: readonly Entry[]): Promise<void> {
          const before = await journal.latest();
          await super.merge(day, entries);
          if ((await journal.latest()) === before) journal.append({ kind: 'day', day, action: 'merged' });
        }
      })(this, journal);
    }
  },
  'tells of days that were not there': class extends JournalWorld {
    static readonly fails = ['tells nothing of a day that is removed and was not there'];
    override days(journal: MemoryJournal): MemoryDayStore {
      return new (class extends DaysOnDisk {
        override async remove(day: Day): Promise<boolean> {
          const wasThere = await super.remove(day);
          if (!wasThere) journal.append({ kind: 'day', day, action: 'removed' });
          return wasThere;
        }
      })(this, journal);
    }
  },
  'tells of provisional scans that are held already': class extends JournalWorld {
    static readonly fails = ['tells nothing of a provisional scan that is held already'];
    override provisional(journal: MemoryJournal): MemoryProvisionalStore {
      return new (class extends MemoryProvisionalStore {
        override async add(scan: Omit<ProvisionalScan, 'sequence'>): Promise<number> {
          const before = await journal.latest();
          const sequence = await super.add(scan);
          if ((await journal.latest()) === before) journal.append(heldOf({ ...scan, sequence }));
          return sequence;
        }
      })(this.scans, journal);
    }
  },
  // Removed days.
  'keeps the scans of a removed day': {
    fails: ['tells of a day whose corrections are removed, and no longer of them'],
    Fake: journaling({
      forget: () => () => undefined,
    }),
  },
  'removes the scans of all days with one': {
    fails: ['tells of a day that is removed, and no longer of its scans'],
    Fake: journaling({
      forget: (sound) => () => {
        sound(({ kind }) => kind === 'scan');
      },
    }),
  },
  'removes everything with a day': {
    fails: ['tells of a day whose corrections are removed, and no longer of them'],
    Fake: journaling({
      forget: (sound) => () => {
        sound(() => true);
      },
    }),
  },
  'tells nothing any more of a day that was removed': {
    fails: [
      'tells of a scan of a day that was removed before',
      'goes on with larger cursors after a restart, also when a day was removed',
    ],
    Fake: told((change, { changes }) => {
      const isGone = changes.entries.some(
        ({ change: each }) =>
          change.kind === 'scan' &&
          each.kind === 'day' &&
          each.action === 'removed' &&
          each.day === change.day,
      );
      return isGone ? [] : [change];
    }),
  },
  'takes its cursors back with a day': {
    fails: ['keeps its place when the changes of a day are gone'],
    Fake: journaling({
      forget: (sound, fake) => (isGone) => {
        sound(isGone);
        fake.kept.latest = fake.kept.entries.at(-1)?.cursor ?? 0;
      },
    }),
  },
  'does not tell of corrections': {
    fails: ['tells nothing of a correction that is there, or decided, already'],
    Fake: without(({ kind }) => kind === 'correction'),
  },
  'tells of a correction under another number': {
    fails: ['tells of a correction when it is made, and when it is decided'],
    Fake: told((change) => [
      change.kind === 'correction' ? { ...change, number: change.number + 1 } : change,
    ]),
  },
  'tells of a correction that is there already': class extends JournalWorld {
    static readonly fails = ['tells nothing of a correction that is there, or decided, already'];
    override corrections(journal: MemoryJournal): MemoryCorrectionStore {
      return new (class extends MemoryCorrectionStore {
        override async decide(number: number, verdict: Verdict): Promise<Correction | undefined> {
          const before = await super.find(number);
          const { day, id } = before ?? {};
          if (before?.state === 'approved' && day !== undefined && id !== undefined) {
            journal.append({ kind: 'correction', number, day, id });
          }
          return super.decide(number, verdict);
        }
      })(this.kept, journal);
    }
  },
  'keeps what it told of removed corrections': {
    fails: ['tells of a day whose corrections are removed, and no longer of them'],
    Fake: journaling({
      forget: (sound) => (isGone) => {
        sound((change) => change.kind !== 'correction' && isGone(change));
      },
    }),
  },
});

function heldOf({ sequence, id, reader, bootId, monotonicMs }: ProvisionalScan): Change {
  return { kind: 'provisional', sequence, id, reader, bootId, monotonicMs };
}
