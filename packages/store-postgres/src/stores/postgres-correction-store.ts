import type { Day, Revision } from '@tallybook/domain';
import {
  decidedAs,
  isSameCorrection,
  requireNotErased,
  type Correction,
  type CorrectionStore,
  type NewCorrection,
  type Verdict,
} from '@tallybook/domain/record';
import { PostgresFacet } from '../database/postgres-facet.js';
import type { Transaction } from '../database/transaction.js';
import {
  bodyOfCorrection,
  correctionColumns,
  toCorrection,
  type CorrectionRow,
} from '../rows/correction-rows.js';
import { bytesOfId } from '../rows/stored-values.js';

/** The corrections of some days. $1: site, $2: days. */
const selectOfDays = `SELECT ${correctionColumns} FROM tallybook.correction
  WHERE site = $1 AND day = ANY ($2::bigint[]) ORDER BY number`;

/** $1: site, $2: first day, $3: last day. */
const selectBetween = `SELECT ${correctionColumns} FROM tallybook.correction
  WHERE site = $1 AND day BETWEEN $2 AND $3 ORDER BY day, number`;

/** $1: site, $2: number. */
const selectOne = `SELECT ${correctionColumns} FROM tallybook.correction WHERE site = $1 AND number = $2`;

/** $1: site, $2: numbers, $3: days, $4: ids, $5: seconds, $6: bodies. */
const upsert = `INSERT INTO tallybook.correction (site, number, day, id, at, body)
  SELECT $1, t.number, t.day, t.id, t.at, t.body
  FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[], $6::text[]) AS t (number, day, id, at, body)
  ON CONFLICT (site, number) DO UPDATE SET body = excluded.body`;

/** $1: site, $2: days, $3: revision. */
const upsertDays = `INSERT INTO tallybook.correction_day (site, day, revision)
  SELECT $1, t.day, $3 FROM unnest($2::bigint[]) AS t (day)
  ON CONFLICT (site, day) DO UPDATE SET revision = excluded.revision`;

/** $1: site, $2: day. */
const selectDayRevision = 'SELECT revision FROM tallybook.correction_day WHERE site = $1 AND day = $2';

/** $1: site, $2: day. */
const deleteOfDay = 'DELETE FROM tallybook.correction WHERE site = $1 AND day = $2 RETURNING number';

/** $1: site, $2: day. */
const deleteChangesOfDay = `DELETE FROM tallybook.change
  WHERE site = $1 AND day = $2 AND kind = 'correction' RETURNING seq`;

/** Rows that one correction changes: its own, the row of its day, and a change of the journal. */
const ROWS_OF_ONE = 3;

/** Keeps corrections in PostgreSQL, a row each. */
export class PostgresCorrectionStore extends PostgresFacet implements CorrectionStore {
  correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
    return this.database.run(async () => {
      if (corrections.length === 0) return [];
      return this.database.write(
        (transaction) => correctAll(transaction, corrections),
        ROWS_OF_ONE * corrections.length,
      );
    });
  }

  decide(number: number, { state, ...decision }: Verdict): Promise<Correction | undefined> {
    return this.write(async (transaction) => {
      const [row] = await transaction.rows<CorrectionRow>(selectOne, number);
      const found = row && toCorrection(row);
      if (found?.state !== 'pending') return found;
      const decided = { ...found, state, decision };
      await put(transaction, [decided]);
      return decided;
    }, ROWS_OF_ONE);
  }

  async find(number: number): Promise<Correction | undefined> {
    const [row] = await this.rows<CorrectionRow>(selectOne, number);
    return row && toCorrection(row);
  }

  async list(from: Day, to: Day): Promise<readonly Correction[]> {
    return (await this.rows<CorrectionRow>(selectBetween, from, to)).map(toCorrection);
  }

  remove(day: Day): Promise<boolean> {
    return this.write(async (transaction) => {
      const gone = await transaction.rows(deleteOfDay, day);
      if (gone.length === 0) return false;
      const untold = await transaction.write(deleteChangesOfDay, day);
      transaction.forget(untold.length);
      transaction.tell({ kind: 'day', day, action: 'removed' });
      await touchCorrections(transaction, [day]);
      return true;
    });
  }

  async dayRevision(day: Day): Promise<Revision> {
    const [row] = await this.rows<{ revision: number }>(selectDayRevision, day);
    return String(row?.revision ?? 0);
  }

  revision(): Promise<Revision> {
    return this.revisionOf('corrections');
  }
}

/** Notes that the corrections of some days have changed. */
export async function touchCorrections(transaction: Transaction, days: readonly Day[]): Promise<void> {
  await transaction.write(upsertDays, [...new Set(days)], transaction.revision);
  transaction.touch('corrections');
}

async function correctAll(
  transaction: Transaction,
  corrections: readonly NewCorrection[],
): Promise<readonly Correction[]> {
  await requireNoneErased(transaction, corrections);
  const days = [...new Set(corrections.map(({ day }) => day))];
  const rows = await transaction.rows<CorrectionRow>(selectOfDays, days);
  const known = rows.map(toCorrection);
  const changed = new Map<number, Correction>();
  const results = corrections.map((correction) => {
    const index = known.findIndex((each) => isSameCorrection(each, correction));
    const there = known[index];
    const made =
      there === undefined
        ? { ...correction, number: transaction.next('correctionNumber') }
        : decidedAs(there, correction);
    if (made === there) return made;
    if (there === undefined) known.push(made);
    else known[index] = made;
    changed.set(made.number, made);
    return made;
  });
  await put(transaction, [...changed.values()]);
  return results;
}

/** Puts corrections and adds the changes to the journal. */
async function put(transaction: Transaction, corrections: readonly Correction[]): Promise<void> {
  if (corrections.length === 0) return;
  await transaction.write(
    upsert,
    corrections.map(({ number }) => number),
    corrections.map(({ day }) => day),
    corrections.map(({ id }) => bytesOfId(id)),
    corrections.map(({ at }) => at),
    corrections.map(bodyOfCorrection),
  );
  transaction.tell(
    ...corrections.map(({ number, day, id }) => ({ kind: 'correction', number, day, id }) as const),
  );
  await touchCorrections(
    transaction,
    corrections.map(({ day }) => day),
  );
}

/** Rejects if a person was erased: another server may have done that meanwhile. */
async function requireNoneErased(
  transaction: Transaction,
  corrections: readonly NewCorrection[],
): Promise<void> {
  const erased = await transaction.erasures();
  for (const correction of corrections) requireNotErased(correction, erased);
}
