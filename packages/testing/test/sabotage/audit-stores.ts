import { isTallybookError, TallybookError } from '@tallybook/domain';
import type { AuditEntry, AuditHead, EntryAfter } from '@tallybook/domain/access';
import { MemoryAuditStore } from '@tallybook/testing';
import { closedStoreSabotages } from './closed-stores.js';
import type { Sabotage } from './sabotage.js';

type Entries = AuditEntry[];

/** A fake whose sabotage can access its contents. */
class Sabotaged extends MemoryAuditStore {
  readonly entries: Entries;

  constructor(entries: Entries) {
    super(entries);
    this.entries = entries;
  }
}

/** A fake whose sabotage changes the latest entry when it is appended. */
abstract class Miswriting extends Sabotaged {
  protected abstract miswrite(entry: AuditEntry): AuditEntry;

  override async append(entry: AuditEntry): Promise<boolean> {
    const isAppended = await super.append(entry);
    if (isAppended) this.entries.splice(-1, 1, this.miswrite(entry));
    return isAppended;
  }
}

const operations = ['append', 'appendNext', 'begin', 'latest', 'read', 'removeThrough'];

export const auditStoreSabotages: readonly Sabotage<new (entries: Entries) => MemoryAuditStore>[] = [
  {
    fault: 'says of an empty trail that it ends with 0',
    Fake: class extends Sabotaged {
      override async latest(): Promise<AuditHead | undefined> {
        return (await super.latest()) ?? { number: 0, hash: '0'.repeat(64) };
      }
    },
    fails: ['has no entries at first'],
  },
  {
    fault: 'keeps nothing, and says that it does',
    Fake: class extends Sabotaged {
      override async append(entry: AuditEntry): Promise<boolean> {
        const isAppended = await super.append(entry);
        this.entries.splice(0);
        return isAppended;
      }
    },
    fails: ['reads an entry as it was appended'],
  },
  {
    fault: 'loses the details',
    Fake: class extends Miswriting {
      protected override miswrite(entry: AuditEntry): AuditEntry {
        return { ...entry, details: {} };
      }
    },
    fails: ['reads an entry as it was appended'],
  },
  {
    fault: 'keeps texts in Latin-1',
    Fake: class extends Miswriting {
      protected override miswrite(entry: AuditEntry): AuditEntry {
        return { ...entry, actor: Buffer.from(entry.actor, 'latin1').toString('latin1') };
      }
    },
    fails: ['keeps every action, and every character of texts'],
  },
  {
    fault: 'says of the entry before that it is the latest',
    Fake: class extends Sabotaged {
      override async latest(): Promise<AuditHead | undefined> {
        await super.latest();
        const entry = this.entries.at(-2) ?? this.entries.at(-1);
        return entry && { number: entry.number, hash: entry.hash };
      }
    },
    fails: ['says which entry is the latest'],
  },
  {
    fault: 'begins with any number',
    Fake: class extends Sabotaged {
      override async append(entry: AuditEntry): Promise<boolean> {
        if (this.status !== 'open' || this.entries.length > 0) return super.append(entry);
        this.entries.push(entry);
        return true;
      }
    },
    fails: ['begins with the entry 1, after 64 zeros'],
  },
  {
    fault: 'begins after any hash',
    Fake: class extends Sabotaged {
      override append(entry: AuditEntry): Promise<boolean> {
        const previous = this.entries.length === 0 ? '0'.repeat(64) : entry.previous;
        return super.append({ ...entry, previous });
      }
    },
    fails: ['begins with the entry 1, after 64 zeros'],
  },
  {
    fault: 'does not look at numbers',
    Fake: class extends Sabotaged {
      override append(entry: AuditEntry): Promise<boolean> {
        const number = (this.entries.at(-1)?.number ?? 0) + 1;
        return super.append(this.entries.length === 0 ? entry : { ...entry, number });
      }
    },
    fails: ['appends only an entry with the number that follows'],
  },
  {
    fault: 'does not look at the hash of the latest one',
    Fake: class extends Sabotaged {
      override append(entry: AuditEntry): Promise<boolean> {
        const previous = this.entries.at(-1)?.hash ?? entry.previous;
        return super.append({ ...entry, previous });
      }
    },
    fails: ['appends only an entry that has the hash of the latest one'],
  },
  {
    fault: 'looks first and appends later',
    Fake: class extends Sabotaged {
      override append(entry: AuditEntry): Promise<boolean> {
        return this.run(async () => {
          const { number, hash } = this.entries.at(-1) ?? { number: 0, hash: '0'.repeat(64) };
          const follows = entry.number === number + 1 && entry.previous === hash;
          await Promise.resolve();
          if (follows) this.entries.push(entry);
          return follows;
        });
      }
    },
    fails: ['appends one of two entries with the same number at the same time'],
  },
  {
    fault: 'refuses what comes while it appends',
    Fake: class extends Sabotaged {
      #isBusy = false;

      override async append(entry: AuditEntry): Promise<boolean> {
        if (this.#isBusy) return false;
        this.#isBusy = true;
        try {
          return await super.append(entry);
        } finally {
          this.#isBusy = false;
        }
      }
    },
    fails: ['appends entries at the same time in the order of the calls'],
  },
  {
    fault: 'says of an empty trail that it ends with 1',
    Fake: class extends Sabotaged {
      override appendNext(entryAfter: EntryAfter): Promise<void> {
        return super.appendNext((end) => entryAfter(end.number === 0 ? { ...end, number: 1 } : end));
      }
    },
    fails: ['asks for the entry after the latest one, and appends it'],
  },
  {
    fault: 'numbers entries itself',
    Fake: class extends Sabotaged {
      override appendNext(entryAfter: EntryAfter): Promise<void> {
        return super.appendNext((end) => ({ ...entryAfter(end), number: end.number + 1 }));
      }
    },
    fails: ['appends entries that leave numbers out, as a trail has that lost some'],
  },
  {
    fault: 'asks for an entry first and appends it later',
    Fake: class extends Sabotaged {
      override appendNext(entryAfter: EntryAfter): Promise<void> {
        return this.run(async () => {
          const { number, hash } = this.entries.at(-1) ?? { number: 0, hash: '0'.repeat(64) };
          const entry = entryAfter({ number, hash });
          await Promise.resolve();
          this.entries.push(entry);
        });
      }
    },
    fails: ['appends nothing for who gives no entry, and those of the others'],
  },
  {
    fault: 'asks last for what came first',
    Fake: class extends Sabotaged {
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
    fails: ['asks for entries at the same time in the order of the calls'],
  },
  {
    fault: 'appends the entry before once more for who gives none',
    Fake: class extends Sabotaged {
      override async appendNext(entryAfter: EntryAfter): Promise<void> {
        await super.appendNext((end) => {
          try {
            return entryAfter(end);
          } catch (error) {
            const latest = this.entries.at(-1);
            if (latest === undefined) throw error;
            return latest;
          }
        });
      }
    },
    fails: ['appends nothing for who gives no entry, and those of the others'],
  },
  {
    fault: 'says of what somebody else threw that it could not write',
    Fake: class extends Sabotaged {
      override async appendNext(entryAfter: EntryAfter): Promise<void> {
        try {
          await super.appendNext(entryAfter);
        } catch (cause) {
          if (isTallybookError(cause) || cause instanceof RangeError) throw cause;
          throw new TallybookError('STORE_WRITE_FAILED', 'cannot append', { cause });
        }
      }
    },
    fails: ['appends nothing for who gives no entry, and those of the others'],
  },
  {
    fault: 'begins before it appends what was handed over',
    Fake: class extends Sabotaged {
      override appendNext(entryAfter: EntryAfter): Promise<void> {
        return this.run(async () => {
          await Promise.resolve();
          await super.appendNext(entryAfter);
        });
      }
    },
    fails: ['begins no trail to which an entry was handed over before'],
  },
  {
    fault: 'begins after it has appended what was handed over later',
    Fake: class extends Sabotaged {
      override begin(entry: AuditEntry): Promise<boolean> {
        return this.run(async () => {
          await Promise.resolve();
          return await super.begin(entry);
        });
      }
    },
    fails: ['appends after an entry that began the trail at the same time'],
  },
  {
    fault: 'reads from a number on, which is included',
    Fake: class extends Sabotaged {
      override read(after: number, limit: number): Promise<readonly AuditEntry[]> {
        return super.read(after - 1, limit);
      }
    },
    fails: ['appends one of two entries with the same number at the same time'],
  },
  {
    fault: 'reads one more than asked for',
    Fake: class extends Sabotaged {
      override read(after: number, limit: number): Promise<readonly AuditEntry[]> {
        return super.read(after, limit + 1);
      }
    },
    fails: ['reads the entries after a number, ascending, and no more than asked for'],
  },
  {
    fault: 'reads by the digits of the numbers',
    Fake: class extends Sabotaged {
      override async read(after: number, limit: number): Promise<readonly AuditEntry[]> {
        await super.read(after, limit);
        const sorted = [...this.entries].sort((a, b) => (String(a.number) < String(b.number) ? -1 : 1));
        return sorted.filter(({ number }) => number > after).slice(0, limit);
      }
    },
    fails: ['keeps every action, and every character of texts'],
  },
  {
    fault: 'removes one too few',
    Fake: class extends Sabotaged {
      override removeThrough(number: number): Promise<number> {
        return super.removeThrough(number - 1);
      }
    },
    fails: ['removes entries from the beginning, and says how many'],
  },
  {
    fault: 'removes the latest one too',
    Fake: class extends Sabotaged {
      override removeThrough(number: number): Promise<number> {
        return this.run(() => {
          const older = this.entries.filter((entry) => entry.number <= number);
          return Promise.resolve(this.entries.splice(0, older.length).length);
        });
      }
    },
    fails: ['never removes the latest entry'],
  },
  {
    fault: 'says of what was removed before that it is removed again',
    Fake: class extends Sabotaged {
      override async removeThrough(number: number): Promise<number> {
        await super.removeThrough(number);
        return Math.min(number, (this.entries.at(-1)?.number ?? 1) - 1);
      }
    },
    fails: ['removes entries from the beginning, and says how many'],
  },
  {
    fault: 'gives out what it goes on changing',
    Fake: class extends Sabotaged {
      override async read(after: number, limit: number): Promise<readonly AuditEntry[]> {
        const found = await super.read(after, limit);
        return after === 0 && found.length === this.entries.length ? this.entries : found;
      }
    },
    fails: ['does not change what was read when more is written'],
  },
  {
    fault: 'begins with the entry 1 only',
    Fake: class extends Sabotaged {
      override begin(entry: AuditEntry): Promise<boolean> {
        return this.append(entry);
      }
    },
    fails: ['begins a trail with any entry, and goes on after it'],
  },
  {
    fault: 'begins again after what there is',
    Fake: class extends Sabotaged {
      override begin(entry: AuditEntry): Promise<boolean> {
        return this.run(() => {
          this.entries.push(entry);
          return Promise.resolve(true);
        });
      }
    },
    fails: ['begins a trail once'],
  },
  {
    fault: 'forgets the first entry when it is closed',
    Fake: class extends Sabotaged {
      protected override async onClose(): Promise<void> {
        if (this.entries.length > 1) this.entries.shift();
      }
    },
    fails: ['keeps what it acknowledged across a restart, and goes on after it'],
  },
  ...closedStoreSabotages(MemoryAuditStore, operations),
];
