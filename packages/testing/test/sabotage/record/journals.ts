import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Change, Cursor, JournalPage, RecordOutcome } from '@tallybook/domain';
import { noChanges, type MemoryChanges } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { changeSabotages } from './journal-changes.js';
import { DaysOnDisk, journaling, JournalWorld, OpenJournal } from './journal-world.js';
import { faults, inWorld, plant, type Methods, type Sabotage } from '../sabotage.js';

const operations = ['origin', 'latest', 'countAfter', 'read', 'position', 'advance'];

/** The journal gives wrong answers. */
const answering = (
  change: (page: JournalPage, after: Cursor, limit: number, kept: MemoryChanges) => JournalPage,
): Methods<JournalWorld> =>
  journaling({
    read: (sound, fake) => async (after, limit) => change(await sound(after, limit), after, limit, fake.kept),
  });

/** The changes differ after a restart. */
const restarting = (edit: (changes: MemoryChanges) => void): Methods<JournalWorld> => ({
  journal: (sound, { changes }) => {
    let isRestart = false;
    return (limits) => {
      if (isRestart) edit(changes);
      isRestart = true;
      return sound(limits);
    };
  },
});

/** The days write a scan first, and tell the journal afterwards. */
const telling = (
  make: () => (tell: () => void, write: () => Promise<RecordOutcome>) => Promise<RecordOutcome>,
): Methods<JournalWorld> => ({
  days: (_, world) => (journal) =>
    plant(new DaysOnDisk(world), {
      record: (sound) => {
        const record = make();
        return (day, id, at, source) => {
          const known = world.contents.get(day)?.get(id);
          const outcome = known === undefined ? 'counted' : 'already-counted';
          const isNew = known?.scans.has(at) !== true;
          const filed = source?.filed && { filed: source.filed };
          const tell = (): void => {
            if (isNew)
              journal.append({ kind: 'scan', day, id, at, reader: source?.reader, outcome, ...filed });
          };
          return record(tell, () => sound(day, id, at, source));
        };
      },
    }),
});

export const journalSabotages: readonly Sabotage<typeof JournalWorld>[] = [
  ...changeSabotages,
  ...faults(JournalWorld, {
    // Order.
    'counts changes below zero beyond the latest': {
      fails: ['counts the changes after a cursor, and none beyond the latest'],
      ...journaling({
        countAfter: (_, fake) => (cursor) => fake.run(() => Promise.resolve(fake.kept.latest - cursor)),
      }),
    },
    'fills a hole later': {
      fails: ['gives cursors that ascend, one to each change, also of what is done at the same time'],
      ...journaling({
        append: (sound, fake) => {
          let late: readonly Change[] = [];
          let cursor = 0;
          let count = 0;
          return (...changes) => {
            const { entries } = fake.kept;
            if (late.length > 0) {
              for (const [n, change] of late.entries()) entries.push({ cursor: cursor + n, change });
              entries.sort((a, b) => a.cursor - b.cursor);
              late = [];
            }
            if (++count % 3 === 0) {
              late = changes;
              cursor = fake.kept.latest + 1;
              fake.kept.latest += changes.length;
            } else sound(...changes);
          };
        },
      }),
    },
    'gives changes that are made together one cursor': {
      fails: ['delivers every change exactly once, in order, to a live reader'],
      ...journaling({
        append:
          (_, fake) =>
          (...changes) => {
            const cursor = ++fake.kept.latest;
            for (const change of changes) fake.kept.entries.push({ cursor, change });
          },
      }),
    },
    'writes changes a while after what they tell of, the last one first': {
      fails: ['reports nothing for a provisional scan that is already held'],
      ...journaling({
        append: (sound) => {
          let waiting = 0;
          const later = async (turns: number, changes: readonly Change[]): Promise<void> => {
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
            sound(...changes);
          };
          return (...changes) => void later(5 - (waiting++ % 5), changes);
        },
      }),
    },
    // Reading.
    'begins with the change at the cursor': {
      fails: ['gives the changes after a cursor, at most as many as are asked for'],
      ...answering((page, after, limit, { entries }) => {
        const same = entries.filter(({ cursor }) => cursor === after);
        return page.isKnown ? { ...page, entries: [...same, ...page.entries].slice(0, limit) } : page;
      }),
    },
    'hands out more than was asked for': {
      fails: ['gives the changes after a cursor, at most as many as are asked for'],
      ...answering((page, after, _, { entries }) =>
        page.isKnown ? { ...page, entries: entries.filter(({ cursor }) => cursor > after) } : page,
      ),
    },
    'takes a cursor for the place in a list': {
      fails: ['goes on with larger cursors when the oldest changes were removed'],
      ...answering((page, after, limit, { entries }) =>
        page.isKnown ? { ...page, entries: entries.slice(after, after + limit) } : page,
      ),
    },
    'says nothing of how far it has come': {
      fails: ['says that it has not come so far'],
      ...answering((page) =>
        !page.isKnown && page.reason === 'ahead' ? { isKnown: true, entries: [] } : page,
      ),
    },
    'begins at 1 when it is empty': {
      fails: ['has no change at first', 'shows no change before it is durable'],
      ...journaling({
        latest: (sound) => async () => (await sound()) + 1,
      }),
    },
    'has a UUID for an origin': {
      fails: ['has an origin of letters, digits and underscores that stays the same'],
      ...journaling({
        origin: (sound) => async () => `${await sound()}-1`,
      }),
    },
    'has another origin after each change': {
      fails: ['has an origin of letters, digits and underscores that stays the same'],
      ...journaling({
        origin: (sound, fake) => async () => `${await sound()}_${fake.kept.latest}`,
      }),
    },
    // Limits.
    'says nothing of what it removed': {
      fails: ['removes the oldest changes only, and says so to a reader that needs them'],
      ...answering((page, after, limit, { entries }) =>
        !page.isKnown && page.reason === 'too-old'
          ? { isKnown: true, entries: entries.filter(({ cursor }) => cursor > after).slice(0, limit) }
          : page,
      ),
    },
    'keeps everything': {
      fails: ['removes the oldest changes only, and says so to a reader that needs them'],
      journal: (_, fake) => () => new OpenJournal(fake.changes, {}),
    },
    'gives the cursors of removed changes again': {
      fails: ['goes on with larger cursors when the oldest changes were removed'],
      ...journaling({
        append:
          (sound, fake) =>
          (...changes) => {
            const before = fake.kept.forgotten;
            sound(...changes);
            if (fake.kept.forgotten === before) return;
            fake.kept.latest = fake.kept.entries.length;
          },
      }),
    },
    // Positions.
    'has one position for all consumers': {
      fails: ['keeps the position of each consumer'],
      ...journaling({
        position: (sound) => () => sound('one'),
        advance: (sound) => (_, cursor) => sound('one', cursor),
      }),
    },
    'knows consumers by their first letters': {
      fails: ['keeps the position of each consumer'],
      ...journaling({
        position: (sound) => (consumer) => sound(consumer.slice(0, 2)),
        advance: (sound) => (consumer, cursor) => sound(consumer.slice(0, 2), cursor),
      }),
    },
    'lets no consumer go back': {
      fails: ['keeps the position of each consumer'],
      ...journaling({
        advance: (sound, fake) => (consumer, cursor) =>
          sound(consumer, Math.max(cursor, fake.kept.positions.get(consumer) ?? 0)),
      }),
    },
    'tells of positions': {
      fails: ['reports nothing for positions'],
      ...journaling({
        advance: (sound, fake) => async (consumer, cursor) => {
          await sound(consumer, cursor);
          fake.append({ kind: 'repaired' });
        },
      }),
    },
    // Restarts.
    'tells the latest change again after a restart': {
      fails: ['has no change of what failed'],
      ...restarting((changes) => {
        const last = changes.entries.at(-1);
        if (last !== undefined) changes.entries.push({ ...last, cursor: ++changes.latest });
      }),
    },
    'counts its changes anew in a restart': {
      fails: ['goes on with larger cursors after a restart, also when a day was removed'],
      ...restarting((changes) => {
        changes.latest = changes.entries.length;
      }),
    },
    'forgets in a restart that changes were removed': {
      fails: ['says which changes are missing after a restart too'],
      ...restarting((changes) => {
        changes.forgotten = 0;
      }),
    },
    'forgets positions in a restart': {
      fails: ['keeps positions across a restart'],
      ...restarting(({ positions }) => positions.clear()),
    },
    'has another origin after a restart': {
      fails: ['keeps changes, cursors and origin across a restart'],
      ...journaling({
        origin: (sound) => {
          const own = noChanges().origin;
          return async () => (await sound()) && own;
        },
      }),
    },
    // A disk that fails.
    'shows scans before they are durable, and no other change of a day': {
      fails: ['reports a day that entries are merged into'],
      ...telling(() => (tell, write) => {
        tell();
        return write();
      }),
    },
    'shows scans some turns after they came, durable or not, and no other change of a day': {
      fails: ['reports a day that entries are merged into'],
      ...telling(() => async (tell, write) => {
        const state = { isSettled: false };
        const written = write().finally(() => (state.isSettled = true));
        written.catch(() => undefined);
        for (let turn = 0; turn < 10 && !state.isSettled; turn++) await endOfTurn();
        const isEarly = !state.isSettled;
        if (isEarly) tell();
        const outcome = await written;
        if (!isEarly) tell();
        return outcome;
      }),
    },
    'tells of no scan after a failure, and of no other change of a day': {
      fails: ['reports a day that entries are merged into'],
      ...telling(() => {
        let hasFailed = false;
        return async (tell, write) => {
          const outcome = await write().catch((error: unknown) => {
            hasFailed = true;
            throw error;
          });
          if (!hasFailed) tell();
          return outcome;
        };
      }),
    },
    'writes again when an answer is lost, and gives the second answer': {
      fails: [
        'counts a scan once, and says so, when the answer to the write is lost',
        'says whether a name is new, and whether there was one, when the answer to the write is lost',
      ],
      afterLoss:
        () =>
        ({ write }) =>
          write(),
    },
  }),
  ...inWorld(JournalWorld, closedStoreSabotages(OpenJournal, operations), (Fake) => ({
    journal: (_, world) => (limits) => new Fake(world.changes, limits),
  })),
];
