import { toTimestamp, type Change, type ProvisionalScan } from '@tallybook/domain';
import { journaling, JournalWorld, told } from './journal-world.js';
import { faults, plant, type Methods } from '../sabotage.js';

/** The journal misses some changes. */
const without = (isLeftOut: (change: Change) => boolean): Methods<JournalWorld> =>
  told((change) => (isLeftOut(change) ? [] : [change]));

/** Faults in the changes of a journal. */
export const changeSabotages = faults(JournalWorld, {
  // Content of changes.
  'does not tell of scans': {
    fails: ['reports nothing for the removal of a day that was not there'],
    ...without(({ kind }) => kind === 'scan'),
  },
  'does not tell of further scans of a tag': {
    fails: ['has a change when it is acknowledged'],
    ...without((change) => change.kind === 'scan' && change.outcome === 'already-counted'),
  },
  'does not tell of provisional scans': {
    fails: ['gives cursors that ascend, one to each change, also of what is done at the same time'],
    ...without(({ kind }) => kind === 'provisional'),
  },
  'does not tell of names that are removed': {
    fails: ['reports names that are added, replaced and removed, and never the names themselves'],
    ...without((change) => change.kind === 'name' && change.action === 'removed'),
  },
  'does not tell of days that are removed': {
    fails: ['reports a day whose corrections are removed, and no longer the corrections'],
    ...without((change) => change.kind === 'day' && change.action === 'removed'),
  },
  'does not tell of days that are merged': {
    fails: ['reports a day that entries are merged into'],
    ...without((change) => change.kind === 'day' && change.action === 'merged'),
  },
  'does not know readers': {
    fails: ['reports a scan that was provisional with its sequence and estimate'],
    ...told((change) => [change.kind === 'scan' ? { ...change, reader: undefined } : change]),
  },
  'takes no reader for one without a name': {
    fails: ['reports a scan with its day, time, reader and outcome'],
    ...told((change) => [change.kind === 'scan' ? { ...change, reader: change.reader ?? '' } : change]),
  },
  'takes every scan for the first one': {
    fails: ['reports a scan with its day, time, reader and outcome'],
    ...told((change) => [change.kind === 'scan' ? { ...change, outcome: 'counted' } : change]),
  },
  'has times in 32 bits': {
    fails: ['reports a scan with its day, time, reader and outcome'],
    ...told((change) => [change.kind === 'scan' ? { ...change, at: toTimestamp(change.at >>> 0) } : change]),
  },
  'does not know which provisional scan was filed': {
    fails: ['reports a scan that was provisional with its sequence and estimate'],
    ...told((change) => {
      if (change.kind !== 'scan') return [change];
      const { kind, day, id, at, reader, outcome } = change;
      return [{ kind, day, id, at, reader, outcome }];
    }),
  },
  'forgets flags': {
    fails: ['reports the flags of a scan, and its day when a scan gets more flags'],
    ...told((change) => {
      if (change.kind !== 'scan') return [change];
      const { flags: _, ...rest } = change;
      return [rest];
    }),
  },
  'forgets estimates': {
    fails: ['reports a scan that was provisional with its sequence and estimate'],
    ...told((change) => [
      change.kind === 'scan' && change.filed !== undefined
        ? { ...change, filed: { sequence: change.filed.sequence } }
        : change,
    ]),
  },
  'rounds moments on the monotonic clock': {
    fails: ['reports a provisional scan when it is held, and not when it is settled or removed'],
    ...told((change) => [
      change.kind === 'provisional' ? { ...change, monotonicMs: Math.round(change.monotonicMs) } : change,
    ]),
  },
  'tells of provisional scans that are settled': {
    fails: ['reports a provisional scan when it is held, and not when it is settled or removed'],
    provisional: (part) => (journal) =>
      plant(part(journal), {
        settle: (sound, fake) => async (sequence, filing) => {
          const scan = (await fake.list()).find((each) => each.sequence === sequence);
          await sound(sequence, filing);
          if (scan !== undefined) journal.append(heldOf(scan));
        },
      }),
  },
  'has the names in its changes': {
    fails: ['reports names that are added, replaced and removed, and never the names themselves'],
    ...told((change, { names }) => [
      change.kind === 'name' ? { ...change, name: names.get(change.id) } : change,
    ]),
  },
  'takes every name for a new one': {
    fails: [
      'reports names that are added, replaced and removed, and never the names themselves',
      'reports simultaneous calls in the order of the calls',
    ],
    ...told((change) => [
      change.kind === 'name' && change.action === 'replaced' ? { ...change, action: 'added' } : change,
    ]),
  },
  'tells of names by the order of their tags': {
    fails: ['reports names that are changed together one by one, in their order'],
    mapping: (part) => (journal) =>
      plant(part(journal), {
        change: (sound) => (changes) => sound(new Map([...changes].sort(([a], [b]) => (a < b ? -1 : 1)))),
      }),
  },
  // Calls that changed nothing.
  'tells of scans that were there already': {
    fails: ['reports nothing for a scan that was already there'],
    days: (part) => (journal) =>
      plant(part(journal), {
        record: (sound) => async (day, id, at, source) => {
          const before = await journal.latest();
          const outcome = await sound(day, id, at, source);
          const reader = source?.reader;
          if ((await journal.latest()) === before) {
            journal.append({ kind: 'scan', day, id, at, reader, outcome });
          }
          return outcome;
        },
      }),
  },
  'tells of every name that is put': {
    fails: ['reports nothing for a name that is the same, or not there'],
    mapping: (part) => (journal) =>
      plant(part(journal), {
        put: (sound) => async (id, name) => {
          const before = await journal.latest();
          const action = await sound(id, name);
          if ((await journal.latest()) === before) journal.append({ kind: 'name', id, action });
          return action;
        },
      }),
  },
  'tells of every day that is merged': {
    fails: ['reports nothing for entries that are merged again, or for none'],
    days: (part) => (journal) =>
      plant(part(journal), {
        merge: (sound) => async (day, entries) => {
          const before = await journal.latest();
          await sound(day, entries);
          if ((await journal.latest()) === before) journal.append({ kind: 'day', day, action: 'merged' });
        },
      }),
  },
  'tells of days that were not there': {
    fails: ['reports nothing for the removal of a day that was not there'],
    days: (part) => (journal) =>
      plant(part(journal), {
        remove: (sound) => async (day) => {
          const wasThere = await sound(day);
          if (!wasThere) journal.append({ kind: 'day', day, action: 'removed' });
          return wasThere;
        },
      }),
  },
  'tells of provisional scans that are held already': {
    fails: ['reports nothing for a provisional scan that is already held'],
    provisional: (part) => (journal) =>
      plant(part(journal), {
        add: (sound) => async (scan) => {
          const before = await journal.latest();
          const sequence = await sound(scan);
          if ((await journal.latest()) === before) journal.append(heldOf({ ...scan, sequence }));
          return sequence;
        },
      }),
  },
  // Removed days.
  'keeps the scans of a removed day': {
    fails: ['reports a day whose corrections are removed, and no longer the corrections'],
    ...journaling({
      forget: () => () => undefined,
    }),
  },
  'removes the scans of all days with one': {
    fails: ['reports a removed day, and no longer its scans'],
    ...journaling({
      forget: (sound) => () => {
        sound(({ kind }) => kind === 'scan');
      },
    }),
  },
  'tells nothing any more of a day that was removed': {
    fails: [
      'reports a scan of a day that was removed before',
      'goes on with larger cursors after a restart, also when a day was removed',
    ],
    ...told((change, { changes }) => {
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
    fails: ['keeps its place when the changes of a day are removed'],
    ...journaling({
      forget: (sound, fake) => (isGone) => {
        sound(isGone);
        fake.kept.latest = fake.kept.entries.at(-1)?.cursor ?? 0;
      },
    }),
  },
  'does not tell of corrections': {
    fails: ['reports nothing for a correction that is already there, or already decided'],
    ...without(({ kind }) => kind === 'correction'),
  },
  'tells of a correction under another number': {
    fails: ['reports a correction when it is made, and when it is decided'],
    ...told((change) => [change.kind === 'correction' ? { ...change, number: change.number + 1 } : change]),
  },
  'tells of a correction that is there already': {
    fails: ['reports nothing for a correction that is already there, or already decided'],
    corrections: (part) => (journal) =>
      plant(part(journal), {
        decide: (sound, fake) => async (number, verdict) => {
          const before = await fake.find(number);
          const { day, id } = before ?? {};
          if (before?.state === 'approved' && day !== undefined && id !== undefined) {
            journal.append({ kind: 'correction', number, day, id });
          }
          return sound(number, verdict);
        },
      }),
  },
  'keeps what it told of removed corrections': {
    fails: ['reports a day whose corrections are removed, and no longer the corrections'],
    ...journaling({
      forget: (sound) => (isGone) => {
        sound((change) => change.kind !== 'correction' && isGone(change));
      },
    }),
  },
});

function heldOf({ sequence, id, reader, bootId, monotonicMs }: ProvisionalScan): Change {
  return { kind: 'provisional', sequence, id, reader, bootId, monotonicMs };
}
