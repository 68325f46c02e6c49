import { isTallybookError } from '@tallybook/domain';
import {
  AUDIT_BEGINNING,
  writeAuditEntry,
  type AuditEntry,
  type AuditHead,
  type AuditStore,
  type EntryAfter,
} from '@tallybook/domain/access';
import { PostgresFacet } from '../database/postgres-facet.js';
import type { Batch } from '../database/writer/write-queue.js';
import type { Transaction } from '../database/transaction.js';
import { toAuditEntry } from '../rows/access-rows.js';

/** Entries that are removed together. */
const REMOVED_AT_ONCE = 900;

interface AuditRow {
  readonly number: number;
  readonly body: string;
}

/** $1: site. */
const selectEnd = 'SELECT number, hash FROM tallybook.audit_end WHERE site = $1';

/** $1: site, $2: number, $3: hash. */
const upsertEnd = `INSERT INTO tallybook.audit_end (site, number, hash) VALUES ($1, $2, $3)
  ON CONFLICT (site) DO UPDATE SET number = excluded.number, hash = excluded.hash`;

/** $1: site, $2: numbers, $3: bodies. */
const insertEntries = `INSERT INTO tallybook.audit (site, number, body)
  SELECT $1, t.number, t.body FROM unnest($2::bigint[], $3::text[]) AS t (number, body)`;

/** $1: site, $2: number after which the page begins, $3: limit. */
const selectPage =
  'SELECT number, body FROM tallybook.audit WHERE site = $1 AND number > $2 ORDER BY number LIMIT $3';

/** The oldest entries. $1: site, $2: up to which number, $3: limit. */
const selectOldest = `SELECT number FROM tallybook.audit
  WHERE site = $1 AND number <= $2 ORDER BY number LIMIT $3`;

/** $1: site, $2: number. */
const deleteThrough = 'DELETE FROM tallybook.audit WHERE site = $1 AND number <= $2';

/** Keeps the audit trail in PostgreSQL: a row for each entry, and one for the end of the trail. */
export class PostgresAuditStore extends PostgresFacet implements AuditStore {
  append(entry: AuditEntry): Promise<boolean> {
    return this.#append((end) => (isNext(end, entry) ? entry : undefined));
  }

  async appendNext(entryAfter: EntryAfter): Promise<void> {
    await this.#append(entryAfter);
  }

  begin(entry: AuditEntry): Promise<boolean> {
    return this.#append(({ number }) => (number === 0 ? entry : undefined));
  }

  async latest(): Promise<AuditHead | undefined> {
    const [end] = await this.rows<AuditHead>(selectEnd);
    return end && { number: end.number, hash: end.hash };
  }

  read(after: number, limit: number): Promise<readonly AuditEntry[]> {
    return this.database.run(async () => {
      for (let start = after; ;) {
        const rows = await this.database.rows<AuditRow>(selectPage, start, limit);
        const entries = rows.flatMap(soundEntry);
        const last = rows.at(-1);
        if (entries.length > 0 || last === undefined) return entries;
        // All entries of this page are damaged; later ones may be sound.
        start = last.number;
      }
    });
  }

  removeThrough(number: number): Promise<number> {
    return this.database.run(async () => {
      for (let count = 0; ;) {
        const removed = await this.database.write(
          (transaction) => removeSome(transaction, number),
          REMOVED_AT_ONCE,
        );
        if (removed === 0) return count;
        count += removed;
      }
    });
  }

  async #append(choose: Choice): Promise<boolean> {
    const outcome = await this.submit(appendEntries, choose, 1);
    if (outcome instanceof Refusal) throw outcome.reason;
    return outcome;
  }
}

/** Gives the entry to append after the end of the trail, if there is one. */
type Choice = (end: AuditHead) => AuditEntry | undefined;

/** The error that a caller threw when it was asked for its entry. */
class Refusal {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Appends the entries of all calls, in their order. The outcome says whether a caller gave an entry. */
const appendEntries: Batch<Choice, boolean | Refusal> = Object.assign(appendAll, { isApart: true });

/** A call that throws is refused; the others go on. */
async function appendAll(
  transaction: Transaction,
  items: readonly Choice[],
): Promise<readonly (boolean | Refusal)[]> {
  let end: AuditHead = (await readEnd(transaction)) ?? { number: 0, hash: AUDIT_BEGINNING };
  const appended: AuditEntry[] = [];
  const results = items.map((choose) => {
    try {
      const entry = choose(end);
      if (entry === undefined) return false;
      appended.push(entry);
      end = { number: entry.number, hash: entry.hash };
      return true;
    } catch (error) {
      return new Refusal(error);
    }
  });
  writeEntries(transaction, appended);
  return results;
}

function isNext({ number, hash }: AuditHead, entry: AuditEntry): boolean {
  return entry.number === number + 1 && entry.previous === hash;
}

function writeEntries(transaction: Transaction, entries: readonly AuditEntry[]): void {
  const last = entries.at(-1);
  if (last === undefined) return;
  const numbers = entries.map(({ number }) => number);
  transaction.send(insertEntries, numbers, entries.map(writeAuditEntry));
  transaction.send(upsertEnd, last.number, last.hash);
}

async function readEnd(transaction: Transaction): Promise<AuditHead | undefined> {
  const [end] = await transaction.rows<AuditHead>(selectEnd);
  return end;
}

/** Returns how many entries it has removed; 0 if none is left to remove. */
async function removeSome(transaction: Transaction, number: number): Promise<number> {
  const end = await readEnd(transaction);
  const through = Math.min(number, (end?.number ?? 0) - 1);
  const oldest = await transaction.rows<{ number: number }>(selectOldest, through, REMOVED_AT_ONCE);
  const last = oldest.at(-1);
  if (last !== undefined) await transaction.write(deleteThrough, last.number);
  return oldest.length;
}

function soundEntry({ number, body }: AuditRow): readonly AuditEntry[] {
  try {
    return [toAuditEntry(number, body)];
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return [];
    throw error;
  }
}
