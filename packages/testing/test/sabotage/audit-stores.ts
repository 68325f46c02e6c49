import { isTallybookError, TallybookError } from '@tallybook/domain';
import type { AuditEntry, AuditHead, EntryAfter } from '@tallybook/domain/access';
import { MemoryAuditStore } from '@tallybook/testing';
import { closedStoreSabotages } from './closed-stores.js';
import { faults, type Sabotage } from './sabotage.js';

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
  ...faults<new (entries: Entries) => MemoryAuditStore>({
    'says of an empty trail that it ends with 0': class extends Sabotaged {
      static readonly fails = ['has no entries at first'];
      override async latest(): Promise<AuditHead | undefined> {
        return (await super.latest()) ?? { number: 0, hash: '0'.repeat(64) };
      }
    },
    'keeps nothing, and says that it does': class extends Sabotaged {
      static readonly fails = ['reads an entry as it was appended'];
      override async append(entry: AuditEntry): Promise<boolean> {
        const isAppended = await super.append(entry);
        this.entries.splice(0);
        return isAppended;
      }
    },
    'loses the details': class extends Miswriting {
      static readonly fails = ['reads an entry as it was appended'];
      protected override miswrite(entry: AuditEntry): AuditEntry {
        return { ...entry, details: {} };
      }
    },
    'keeps texts in Latin-1': class extends Miswriting {
      static readonly fails = ['keeps every action, and every character of texts'];
      protected override miswrite(entry: AuditEntry): AuditEntry {
        return { ...entry, actor: Buffer.from(entry.actor, 'latin1').toString('latin1') };
      }
    },
    'says of the entry before that it is the latest': class extends Sabotaged {
      static readonly fails = ['says which entry is the latest'];
      override async latest(): Promise<AuditHead | undefined> {
        await super.latest();
        const entry = this.entries.at(-2) ?? this.entries.at(-1);
        return entry && { number: entry.number, hash: entry.hash };
      }
    },
    'begins with any number': class extends Sabotaged {
      static readonly fails = ['begins with the entry 1, after 64 zeros'];
      override async append(entry: AuditEntry): Promise<boolean> {
        if (this.status !== 'open' || this.entries.length > 0) return super.append(entry);
        this.entries.push(entry);
        return true;
      }
    },
    'begins after any hash': class extends Sabotaged {
      static readonly fails = ['begins with the entry 1, after 64 zeros'];
      override append(entry: AuditEntry): Promise<boolean> {
        const previous = this.entries.length === 0 ? '0'.repeat(64) : entry.previous;
        return super.append({ ...entry, previous });
      }
    },
    'does not look at numbers': class extends Sabotaged {
      static readonly fails = ['appends only an entry with the number that follows'];
      override append(entry: AuditEntry): Promise<boolean> {
        const number = (this.entries.at(-1)?.number ?? 0) + 1;
        return super.append(this.entries.length === 0 ? entry : { ...entry, number });
      }
    },
    'does not look at the hash of the latest one': class extends Sabotaged {
      static readonly fails = ['appends only an entry that has the hash of the latest one'];
      override append(entry: AuditEntry): Promise<boolean> {
        const previous = this.entries.at(-1)?.hash ?? entry.previous;
        return super.append({ ...entry, previous });
      }
    },
    'looks first and appends later': class extends Sabotaged {
      static readonly fails = ['appends one of two entries with the same number at the same time'];
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
    'refuses what comes while it appends': class extends Sabotaged {
      static readonly fails = ['appends entries at the same time in the order of the calls'];
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
    'says of an empty trail that it ends with 1': class extends Sabotaged {
      static readonly fails = ['asks for the entry after the latest one, and appends it'];
      override appendNext(entryAfter: EntryAfter): Promise<void> {
        return super.appendNext((end) => entryAfter(end.number === 0 ? { ...end, number: 1 } : end));
      }
    },
    'numbers entries itself': class extends Sabotaged {
      static readonly fails = ['appends entries that leave numbers out, as a trail has that lost some'];
      override appendNext(entryAfter: EntryAfter): Promise<void> {
        return super.appendNext((end) => ({ ...entryAfter(end), number: end.number + 1 }));
      }
    },
    'asks for an entry first and appends it later': class extends Sabotaged {
      static readonly fails = ['appends nothing for who gives no entry, and those of the others'];
      override appendNext(entryAfter: EntryAfter): Promise<void> {
        return this.run(async () => {
          const { number, hash } = this.entries.at(-1) ?? { number: 0, hash: '0'.repeat(64) };
          const entry = entryAfter({ number, hash });
          await Promise.resolve();
          this.entries.push(entry);
        });
      }
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
    'appends the entry before once more for who gives none': class extends Sabotaged {
      static readonly fails = ['appends nothing for who gives no entry, and those of the others'];
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
    'says of what somebody else threw that it could not write': class extends Sabotaged {
      static readonly fails = ['appends nothing for who gives no entry, and those of the others'];
      override async appendNext(entryAfter: EntryAfter): Promise<void> {
        try {
          await super.appendNext(entryAfter);
        } catch (cause) {
          if (isTallybookError(cause) || cause instanceof RangeError) throw cause;
          throw new TallybookError('STORE_WRITE_FAILED', 'cannot append', { cause });
        }
      }
    },
    'begins before it appends what was handed over': class extends Sabotaged {
      static readonly fails = ['begins no trail to which an entry was handed over before'];
      override appendNext(entryAfter: EntryAfter): Promise<void> {
        return this.run(async () => {
          await Promise.resolve();
          await super.appendNext(entryAfter);
        });
      }
    },
    'begins after it has appended what was handed over later': class extends Sabotaged {
      static readonly fails = ['appends after an entry that began the trail at the same time'];
      override begin(entry: AuditEntry): Promise<boolean> {
        return this.run(async () => {
          await Promise.resolve();
          return await super.begin(entry);
        });
      }
    },
    'reads from a number on, which is included': class extends Sabotaged {
      static readonly fails = ['appends one of two entries with the same number at the same time'];
      override read(after: number, limit: number): Promise<readonly AuditEntry[]> {
        return super.read(after - 1, limit);
      }
    },
    'reads one more than asked for': class extends Sabotaged {
      static readonly fails = ['reads the entries after a number, ascending, and no more than asked for'];
      override read(after: number, limit: number): Promise<readonly AuditEntry[]> {
        return super.read(after, limit + 1);
      }
    },
    'reads by the digits of the numbers': class extends Sabotaged {
      static readonly fails = ['keeps every action, and every character of texts'];
      override async read(after: number, limit: number): Promise<readonly AuditEntry[]> {
        await super.read(after, limit);
        const sorted = [...this.entries].sort((a, b) => (String(a.number) < String(b.number) ? -1 : 1));
        return sorted.filter(({ number }) => number > after).slice(0, limit);
      }
    },
    'removes one too few': class extends Sabotaged {
      static readonly fails = ['removes entries from the beginning, and says how many'];
      override removeThrough(number: number): Promise<number> {
        return super.removeThrough(number - 1);
      }
    },
    'removes the latest one too': class extends Sabotaged {
      static readonly fails = ['never removes the latest entry'];
      override removeThrough(number: number): Promise<number> {
        return this.run(() => {
          const older = this.entries.filter((entry) => entry.number <= number);
          return Promise.resolve(this.entries.splice(0, older.length).length);
        });
      }
    },
    'says of what was removed before that it is removed again': class extends Sabotaged {
      static readonly fails = ['removes entries from the beginning, and says how many'];
      override async removeThrough(number: number): Promise<number> {
        await super.removeThrough(number);
        return Math.min(number, (this.entries.at(-1)?.number ?? 1) - 1);
      }
    },
    'gives out what it goes on changing': class extends Sabotaged {
      static readonly fails = ['does not change what was read when more is written'];
      override async read(after: number, limit: number): Promise<readonly AuditEntry[]> {
        const found = await super.read(after, limit);
        return after === 0 && found.length === this.entries.length ? this.entries : found;
      }
    },
    'begins with the entry 1 only': class extends Sabotaged {
      static readonly fails = ['begins a trail with any entry, and goes on after it'];
      override begin(entry: AuditEntry): Promise<boolean> {
        return this.append(entry);
      }
    },
    'begins again after what there is': class extends Sabotaged {
      static readonly fails = ['begins a trail once'];
      override begin(entry: AuditEntry): Promise<boolean> {
        return this.run(() => {
          this.entries.push(entry);
          return Promise.resolve(true);
        });
      }
    },
    'forgets the first entry when it is closed': class extends Sabotaged {
      static readonly fails = ['keeps what it acknowledged across a restart, and goes on after it'];
      protected override async onClose(): Promise<void> {
        if (this.entries.length > 1) this.entries.shift();
      }
    },
  }),
  ...closedStoreSabotages(MemoryAuditStore, operations),
];
