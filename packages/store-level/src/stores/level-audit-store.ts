import {
  AUDIT_BEGINNING,
  isTallybookError,
  ManagedResource,
  type AuditEntry,
  type AuditHead,
  type AuditStore,
  type EntryAfter,
  type TallybookError,
} from '@tallybook/domain';
import type { LevelDatabase } from '../database/level-database.js';
import type { RawLevel } from '../level/raw-level.js';
import { decodeRow } from '../rows/codec.js';
import { auditHeadKey, auditKey, auditRange, numberOfAuditKey } from '../rows/keys.js';
import { toRow, type Rows } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';
import { decodeAuditEntry, decodeAuditHead } from '../rows/service/audit-rows.js';
import { NextEntries, Refusal, type Choice, type Outcome } from './next-entries.js';

/** So many entries are removed at a time: they take a batch of memory. */
const REMOVED_AT_ONCE = 1_000;

/** So many entries are appended by one write: they take a batch of memory. */
const APPENDED_AT_ONCE = 1_000;

/** The entries of one write, and the outcome of each. */
interface Appends {
  readonly entries: NextEntries;
  readonly outcomes: Promise<readonly Outcome[]>;
  /** Whether an earlier write is not on the disk yet. */
  readonly isQueued: boolean;
}

const nothing: AuditHead = { number: 0, hash: AUDIT_BEGINNING };

/**
 * Keeps the audit trail in LevelDB: a row for each entry, and one for where it ends. While it is open no other process
 * can write.
 */
export class LevelAuditStore extends ManagedResource implements AuditStore {
  readonly #database: LevelDatabase;
  /** The latest entry that this store knows of, in case the row that says so is lost. */
  #known: AuditHead = nothing;
  /** The entries of the next batch, until they are decided. */
  #waiting: Appends | undefined;
  /** The entries that were handed over last: the trail is expected to end with them. */
  #latest: NextEntries | undefined;
  /** The entries that this store wrote last. */
  #written: NextEntries | undefined;
  /** Whether what waits is made at the end of this turn of the event loop. */
  #isMadeSoon = false;

  constructor(database: LevelDatabase) {
    super();
    this.#database = database;
  }

  append(entry: AuditEntry): Promise<boolean> {
    return this.#append(({ number, hash }) => {
      return entry.number === number + 1 && entry.previous === hash ? entry : undefined;
    });
  }

  async appendNext(entryAfter: EntryAfter): Promise<void> {
    await this.#append(entryAfter);
  }

  begin(entry: AuditEntry): Promise<boolean> {
    return this.#append(({ number }) => (number === 0 ? entry : undefined));
  }

  latest(): Promise<AuditHead | undefined> {
    return this.run(async () => {
      await this.#learn();
      return this.#known.number === 0 ? undefined : this.#known;
    });
  }

  read(after: number, limit: number): Promise<readonly AuditEntry[]> {
    return this.run(async () => {
      for (let start = after; ;) {
        const damages: TallybookError[] = [];
        const rows = await this.#database.read((level) =>
          level.iterator({ ...auditRange(start), limit }).all(),
        );
        const entries = rows.flatMap(([key, value]) => {
          try {
            return [decodeRow(key, () => decodeAuditEntry(key, unseal(key, value)))];
          } catch (error) {
            if (!isTallybookError(error, 'STORE_CORRUPT')) throw error;
            damages.push(error);
            return [];
          }
        });
        for (const damage of damages) await this.#database.noteDamage(damage);
        const last = rows.at(-1)?.[0];
        if (entries.length > 0 || last === undefined) return entries;
        // All of these are damaged; later ones may be sound.
        start = numberOfAuditKey(last);
      }
    });
  }

  removeThrough(number: number): Promise<number> {
    return this.run(async () => {
      await this.#learn();
      const range = { gte: auditKey(0), lt: auditKey(Math.min(number + 1, this.#known.number)) };
      for (let count = 0; ;) {
        const keys = await this.#database.read((level) =>
          level.keys({ ...range, limit: REMOVED_AT_ONCE }).all(),
        );
        if (keys.length === 0) return count;
        await this.#database.write({
          keys,
          decide: (rows) => {
            for (const key of keys) rows.delete(key);
          },
        });
        count += keys.length;
      }
    });
  }

  protected override async onOpen(): Promise<void> {
    await this.#database.acquire();
    this.#known = nothing;
    this.#latest = undefined;
    this.#written = undefined;
    try {
      const last = await this.#database.read(lastEntry);
      if (last !== undefined) this.#know(last);
    } catch (error) {
      await this.#database.release();
      throw error;
    }
  }

  protected override onClose(): Promise<void> {
    return this.#database.release();
  }

  async #append(choose: Choice): Promise<boolean> {
    if (this.status !== 'open') throw this.notOpen();
    const { entries, outcomes, isQueued } = this.#joinable();
    const place = entries.add(choose);
    // Who is alone is written at once, and another turn of the event loop would be for nothing.
    if (isQueued) this.#makeSoon();
    const outcome = (await outcomes)[place];
    if (outcome instanceof Refusal) throw outcome.reason;
    return outcome === true;
  }

  /** The entries of the next batch: together they need one look at the end of the trail, and one row for the new end. */
  #joinable(): Appends {
    const waiting = this.#waiting;
    if (waiting !== undefined && waiting.entries.count < APPENDED_AT_ONCE) return waiting;
    const isQueued = this.#latest !== this.#written;
    // One that was full is not made yet, and the next one begins where it ends.
    this.#latest?.make();
    const entries = new NextEntries(this.#latest?.end ?? this.#known);
    this.#latest = entries;
    const outcomes = this.run(() => this.#write(entries)).finally(() => this.#close(entries));
    return (this.#waiting = { entries, outcomes, isQueued });
  }

  /** Makes what waits when all requests of this turn are read: the disk is still busy, and this thread is not. */
  #makeSoon(): void {
    if (this.#isMadeSoon) return;
    this.#isMadeSoon = true;
    setImmediate(() => {
      this.#isMadeSoon = false;
      this.#waiting?.entries.make();
    });
  }

  /** Closes a batch: later entries go into the next one. */
  #close(entries: NextEntries): void {
    if (this.#waiting?.entries === entries) this.#waiting = undefined;
  }

  async #write(entries: NextEntries): Promise<readonly Outcome[]> {
    const outcomes = await this.#database.write({
      keys: [auditHeadKey],
      decide: (rows) => {
        this.#close(entries);
        return entries.append(rows, laterOf(this.#known, this.#endIn(rows)));
      },
    });
    this.#know(entries.end);
    this.#written = entries;
    return outcomes;
  }

  /** The end of the trail as its row says; `undefined` if that is not there or damaged, since the entries tell it too. */
  #endIn(rows: Rows): AuditHead | undefined {
    try {
      const row = rows.get(auditHeadKey);
      // The row that this store wrote needs no decoding.
      const isOurs = row !== undefined && row === this.#written?.endRow;
      return isOurs ? this.#written?.end : readHead(row);
    } catch (error) {
      if (isTallybookError(error, 'STORE_CORRUPT')) return undefined;
      throw error;
    }
  }

  #know(head: AuditHead): void {
    this.#known = laterOf(this.#known, { number: head.number, hash: head.hash });
  }

  /** Learns what another store of this database has appended. */
  async #learn(): Promise<void> {
    const head = await this.#database.read((level) => {
      // Level's types say that there is always a value.
      const { value, isDamaged } = toRow(auditHeadKey, level.getSync(auditHeadKey));
      return Promise.resolve(isDamaged === true ? undefined : readHead(value));
    });
    if (head !== undefined) this.#know(head);
  }
}

function readHead(value: Buffer | undefined): AuditHead | undefined {
  return value && decodeRow(auditHeadKey, () => decodeAuditHead(value));
}

/** The last entry that has a row. If it is damaged, only its number is known. */
async function lastEntry(level: RawLevel): Promise<AuditHead | undefined> {
  const [row] = await level.iterator({ ...auditRange(0), reverse: true, limit: 1 }).all();
  if (row === undefined) return undefined;
  const [key, value] = row;
  try {
    return decodeRow(key, () => decodeAuditEntry(key, unseal(key, value)));
  } catch (error) {
    if (!isTallybookError(error, 'STORE_CORRUPT')) throw error;
    return decodeRow(key, () => ({ ...nothing, number: numberOfAuditKey(key) }));
  }
}

function laterOf(one: AuditHead, other: AuditHead = nothing): AuditHead {
  return other.number >= one.number ? other : one;
}
