import { isTallybookError, TallybookError } from '@tallybook/domain';
import type { AuditEntry, EntryAfter } from '@tallybook/domain/access';
import { MemoryAuditStore } from '@tallybook/testing';
import { closedStoreSabotages } from './closed-stores.js';
import { faults, type Methods, showing } from './sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends showing(MemoryAuditStore, 'entries') {}

/** Changes the latest entry when it is appended. */
const miswriting = (change: (entry: AuditEntry) => AuditEntry): Methods<Sabotaged> => ({
  append: (sound, fake) => async (entry) => {
    const isAppended = await sound(entry);
    if (isAppended) fake.entries.splice(-1, 1, change(entry));
    return isAppended;
  },
});

const operations = ['append', 'appendNext', 'begin', 'latest', 'read', 'removeThrough'];

export const auditStoreSabotages = [
  ...faults(Sabotaged, {
    'says of an empty trail that it ends with 0': {
      fails: ['has no entries at first'],
      latest: (sound) => async () => (await sound()) ?? { number: 0, hash: '0'.repeat(64) },
    },
    'loses the details': {
      fails: ['reads an entry as it was appended'],
      ...miswriting((entry) => ({ ...entry, details: {} })),
    },
    'keeps texts in Latin-1': {
      fails: ['keeps every action, and every character of texts'],
      ...miswriting((entry) => ({ ...entry, actor: Buffer.from(entry.actor, 'latin1').toString('latin1') })),
    },
    'says of the entry before that it is the latest': {
      fails: ['says which entry is the latest'],
      latest: (sound, fake) => async () => {
        await sound();
        const entry = fake.entries.at(-2) ?? fake.entries.at(-1);
        return entry && { number: entry.number, hash: entry.hash };
      },
    },
    'begins after any hash': {
      fails: ['begins with the entry 1, after 64 zeros'],
      append: (sound, fake) => (entry) => {
        const previous = fake.entries.length === 0 ? '0'.repeat(64) : entry.previous;
        return sound({ ...entry, previous });
      },
    },
    'does not look at numbers': {
      fails: ['appends only an entry with the number that follows'],
      append: (sound, fake) => (entry) => {
        const number = (fake.entries.at(-1)?.number ?? 0) + 1;
        return sound(fake.entries.length === 0 ? entry : { ...entry, number });
      },
    },
    'does not look at the hash of the latest one': {
      fails: ['appends only an entry that has the hash of the latest one'],
      append: (sound, fake) => (entry) => {
        const previous = fake.entries.at(-1)?.hash ?? entry.previous;
        return sound({ ...entry, previous });
      },
    },
    'looks first and appends later': {
      fails: ['appends one of two entries with the same number at the same time'],
      append: (_, fake) => (entry) =>
        fake.run(async () => {
          const { number, hash } = fake.entries.at(-1) ?? { number: 0, hash: '0'.repeat(64) };
          const follows = entry.number === number + 1 && entry.previous === hash;
          await Promise.resolve();
          if (follows) fake.entries.push(entry);
          return follows;
        }),
    },
    'refuses what comes while it appends': {
      fails: ['appends entries at the same time in the order of the calls'],
      append: (sound) => {
        let isBusy = false;
        return async (entry) => {
          if (isBusy) return false;
          isBusy = true;
          try {
            return await sound(entry);
          } finally {
            isBusy = false;
          }
        };
      },
    },
    'says of an empty trail that it ends with 1': {
      fails: ['asks for the entry after the latest one, and appends it'],
      appendNext: (sound) => (entryAfter) =>
        sound((end) => entryAfter(end.number === 0 ? { ...end, number: 1 } : end)),
    },
    'numbers entries itself': {
      fails: ['appends entries that leave numbers out, as a trail has that lost some'],
      appendNext: (sound) => (entryAfter) => sound((end) => ({ ...entryAfter(end), number: end.number + 1 })),
    },
    'asks for an entry first and appends it later': {
      fails: ['appends nothing for a caller that gives no entry, and the entries of the others'],
      appendNext: (_, fake) => (entryAfter) =>
        fake.run(async () => {
          const { number, hash } = fake.entries.at(-1) ?? { number: 0, hash: '0'.repeat(64) };
          const entry = entryAfter({ number, hash });
          await Promise.resolve();
          fake.entries.push(entry);
        }),
    },
    'asks last for what came first': class extends Sabotaged {
      static readonly fails = ['asks for entries at the same time in the order of the calls'];
      #isFirst = true;

      override appendNext(entryAfter: EntryAfter): Promise<void> {
        const isFirst = this.#isFirst;
        this.#isFirst = false;
        return this.run(async () => {
          if (isFirst) await Promise.resolve();
          await super.appendNext(entryAfter);
        });
      }
    },
    'says of what somebody else threw that it could not write': {
      fails: ['appends nothing for a caller that gives no entry, and the entries of the others'],
      appendNext: (sound) => async (entryAfter) => {
        try {
          await sound(entryAfter);
        } catch (cause) {
          if (isTallybookError(cause) || cause instanceof RangeError) throw cause;
          throw new TallybookError('STORE_WRITE_FAILED', 'cannot append', { cause });
        }
      },
    },
    'begins before it appends what was handed over': {
      fails: ['does not begin a trail to which an entry was handed over before'],
      appendNext: (sound, fake) => (entryAfter) =>
        fake.run(async () => {
          await Promise.resolve();
          await sound(entryAfter);
        }),
    },
    'begins after it has appended what was handed over later': {
      fails: ['appends after an entry that began the trail at the same time'],
      begin: (sound, fake) => (entry) =>
        fake.run(async () => {
          await Promise.resolve();
          return await sound(entry);
        }),
    },
    'reads from a number on, which is included': {
      fails: ['appends one of two entries with the same number at the same time'],
      read: (sound) => (after, limit) => sound(after - 1, limit),
    },
    'reads one more than asked for': {
      fails: ['reads the entries after a number, ascending, at most as many as asked for'],
      read: (sound) => (after, limit) => sound(after, limit + 1),
    },
    'reads by the digits of the numbers': {
      fails: ['keeps every action, and every character of texts'],
      read: (sound, fake) => async (after, limit) => {
        await sound(after, limit);
        const sorted = [...fake.entries].sort((a, b) => (String(a.number) < String(b.number) ? -1 : 1));
        return sorted.filter(({ number }) => number > after).slice(0, limit);
      },
    },
    'removes one too few': {
      fails: ['removes entries from the beginning, and says how many'],
      removeThrough: (sound) => (number) => sound(number - 1),
    },
    'removes the latest one too': {
      fails: ['never removes the latest entry'],
      removeThrough: (_, fake) => (number) =>
        fake.run(() => {
          const older = fake.entries.filter((entry) => entry.number <= number);
          return Promise.resolve(fake.entries.splice(0, older.length).length);
        }),
    },
    'gives out what it goes on changing': {
      fails: ['does not change what was read when more is written'],
      read: (sound, fake) => async (after, limit) => {
        const found = await sound(after, limit);
        return after === 0 && found.length === fake.entries.length ? fake.entries : found;
      },
    },
    'begins with the entry 1 only': {
      fails: ['begins a trail with any entry, and goes on after it'],
      begin: (_, fake) => (entry) => fake.append(entry),
    },
    'begins again after what there is': {
      fails: ['begins a trail once'],
      begin: (_, fake) => (entry) =>
        fake.run(() => {
          fake.entries.push(entry);
          return Promise.resolve(true);
        }),
    },
    'forgets the first entry when it is closed': {
      fails: ['keeps what it acknowledged across a restart, and goes on after it'],
      onClose: (_, fake) => async () => {
        if (fake.entries.length > 1) fake.entries.shift();
      },
    },
  }),
  ...closedStoreSabotages(MemoryAuditStore, operations),
];
