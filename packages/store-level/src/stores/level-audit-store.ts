import {
  AUDIT_BEGINNING,
  writeAuditEntry,
  type AuditEntry,
  type AuditHead,
  type AuditStore,
  type EntryAfter,
} from '@tallybook/domain/access';
import { deletionOf } from '../database/group-commit.js';
import { LevelFacet, type LevelDatabase } from '../database/level-database.js';
import type { RawLevel } from '../level/raw-level.js';
import { decodeRow, unlessDamaged } from '../rows/codec.js';
import { toRow, type Rows } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';
import { decodeAuditEntries, decodeAuditHead, sealAuditEntries } from '../rows/service/audit-rows.js';
import { NextEntries, Refusal, type Choice, type Outcome } from './next-entries.js';
import {
  AUDIT_ROW_MAX,
  auditHeadKey,
  auditKey,
  auditRange,
  countOfAuditKey,
  numbersOfAuditKey,
} from '../rows/service/service-keys.js';

/** So many rows are removed at a time: they take a batch of memory. */
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
 * Keeps the audit trail in LevelDB: in rows of up to 32 entries that were written together, and one for where it ends. While it is
 * open no other process can write.
 */
export class LevelAuditStore extends LevelFacet implements AuditStore {
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
    super(database);
    database.onOpening(() => this.#begin());
  }

  append(entry: AuditEntry): Promise<boolean> {
    return this.#append(({ number, hash }) => {
      return entry.number === number + 1 && entry.previous === hash ? entry : undefined;
    }, isAppended);
  }

  appendNext(entryAfter: EntryAfter): Promise<void> {
    return this.#append(entryAfter, throwRefusal);
  }

  begin(entry: AuditEntry): Promise<boolean> {
    return this.#append(({ number }) => (number === 0 ? entry : undefined), isAppended);
  }

  latest(): Promise<AuditHead | undefined> {
    return this.database.run(async () => {
      await this.#learn();
      return this.#known.number === 0 ? undefined : this.#known;
    });
  }

  read(after: number, limit: number): Promise<readonly AuditEntry[]> {
    return this.database.run(async () => {
      const entries: AuditEntry[] = [];
      let range: { readonly lt: Buffer; readonly gte?: Buffer; readonly gt?: Buffer } = auditRange(after);
      // Rows may have one entry or many, or be damaged: later ones may be sound.
      for (let rowLimit = Math.ceil(limit / AUDIT_ROW_MAX); entries.length < limit; rowLimit *= 2) {
        const part = { ...range, limit: Math.min(rowLimit, limit) };
        const rows = await this.database.read((level) => level.iterator(part).all());
        for (const row of rows) {
          // A repair can leave a row behind that had been shortened: its entries are in the shorter row, or were removed.
          const isNext = isAfter(entries.at(-1)?.number ?? after);
          entries.push(...(await this.#entriesOf(row)).filter(isNext));
        }
        const last = rows.at(-1)?.[0];
        if (last === undefined) break;
        range = { gt: last, lt: range.lt };
      }
      return entries.slice(0, limit);
    });
  }

  removeThrough(number: number): Promise<number> {
    return this.database.run(async () => {
      await this.#learn();
      const through = Math.min(number, this.#known.number - 1);
      const range = { gte: auditKey(0), lt: auditKey(through + 1) };
      for (let count = 0; ;) {
        const keys = await this.database.read((level) =>
          level.keys({ ...range, limit: REMOVED_AT_ONCE }).all(),
        );
        if (keys.length === 0) return count + (await this.#removeBegun(through));
        await this.database.write(deletionOf(keys));
        for (const key of keys) count += countOfAuditKey(key);
      }
    });
  }

  async #begin(): Promise<void> {
    this.#known = nothing;
    this.#latest = undefined;
    this.#written = undefined;
    const last = await this.database.read(lastEntry);
    if (last !== undefined) this.#know(last);
  }

  #append<T>(choose: Choice, settle: (outcome: Outcome | undefined) => T): Promise<T> {
    if (this.database.status !== 'open') return Promise.reject(this.database.notOpen());
    const { entries, outcomes, isQueued } = this.#joinable();
    const place = entries.add(choose);
    // Who is alone is written at once, and another turn of the event loop would be for nothing.
    if (isQueued) this.#makeSoon();
    // Without `await`, which takes two promises more for each entry.
    return outcomes.then((all) => settle(all[place]));
  }

  /** The entries of a row; none if it is damaged, which the next opening gets to know. */
  async #entriesOf([key, value]: readonly [Buffer, Buffer]): Promise<readonly AuditEntry[]> {
    const decode = (): readonly AuditEntry[] => decodeAuditEntries(key, unseal(key, value));
    return (await this.database.handle.decoded(key, decode)) ?? [];
  }

  /** Removes the entries up to a number of the first row, which also has entries after it, and returns how many these were. */
  async #removeBegun(through: number): Promise<number> {
    const [row] = await this.database.read((level) =>
      level.iterator({ ...auditRange(through), limit: 1 }).all(),
    );
    if (row === undefined) return 0;
    const [key] = row;
    const all = await this.#entriesOf(row);
    const left = all.filter(isAfter(through));
    const last = left.at(-1);
    if (last === undefined || left.length === all.length) return 0;
    const shortened = sealAuditEntries(last.number, left.map(writeAuditEntry));
    await this.database.write({
      keys: [key],
      decide: (rows) => {
        if (rows.delete(key)) rows.add(shortened);
      },
    });
    return all.length - left.length;
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
    const outcomes = this.database.run(() => this.#write(entries)).finally(() => this.#close(entries));
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
    const outcomes = await this.database.write({
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
    return unlessDamaged(() => {
      const row = rows.get(auditHeadKey);
      // The row that this store wrote needs no decoding.
      const isOurs = row !== undefined && row === this.#written?.endRow;
      return isOurs ? this.#written?.end : readHead(row);
    });
  }

  #know(head: AuditHead): void {
    this.#known = laterOf(this.#known, { number: head.number, hash: head.hash });
  }

  /** Learns what another store of this database has appended. */
  async #learn(): Promise<void> {
    const head = await this.database.read((level) => {
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
  return (
    unlessDamaged(() => decodeRow(key, () => decodeAuditEntries(key, unseal(key, value)).at(-1))) ??
    decodeRow(key, () => ({ ...nothing, number: numbersOfAuditKey(key).last }))
  );
}

function throwRefusal(outcome: Outcome | undefined): void {
  if (outcome instanceof Refusal) throw outcome.reason;
}

function isAppended(outcome: Outcome | undefined): boolean {
  throwRefusal(outcome);
  return outcome === true;
}

function isAfter(after: number): (entry: AuditEntry) => boolean {
  return ({ number }) => number > after;
}

function laterOf(one: AuditHead, other: AuditHead = nothing): AuditHead {
  return other.number >= one.number ? other : one;
}
