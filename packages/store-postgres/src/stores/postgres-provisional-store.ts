import { type Filing, type ProvisionalScan, type ProvisionalStore } from '@tallybook/domain';
import { PostgresFacet } from '../database/postgres-facet.js';
import type { Transaction } from '../database/transaction.js';
import { bytesOfId } from '../rows/stored-values.js';
import {
  bodyOf,
  momentOf,
  readProvisional,
  toProvisional,
  type ProvisionalRow,
} from '../rows/provisional-rows.js';

const selectByMoments = `SELECT sequence, moment FROM tallybook.provisional
  WHERE site = $1 AND moment = ANY ($2::bytea[])`;

/** $1: site; of each scan: $2: sequence, $3: moment, $4: id, $5: body. */
const insertScans = `INSERT INTO tallybook.provisional (site, sequence, moment, id, body)
  SELECT $1, t.sequence, t.moment, t.id, t.body
  FROM unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::text[]) AS t (sequence, moment, id, body)`;

const selectOne = 'SELECT sequence, id, body FROM tallybook.provisional WHERE site = $1 AND sequence = $2';
const updateOne = 'UPDATE tallybook.provisional SET body = $3 WHERE site = $1 AND sequence = $2';
const deleteOne = 'DELETE FROM tallybook.provisional WHERE site = $1 AND sequence = $2';

type NewScan = Omit<ProvisionalScan, 'sequence'>;

/** Keeps provisional scans in PostgreSQL. */
export class PostgresProvisionalStore extends PostgresFacet implements ProvisionalStore {
  add(scan: NewScan): Promise<number> {
    return this.submit(addScans, scan);
  }

  list(): Promise<readonly ProvisionalScan[]> {
    return this.database.run(() => readProvisional(this.database, () => undefined));
  }

  place(sequence: number, filing: Filing): Promise<Filing | undefined> {
    return this.#decide(sequence, (known) => known ?? filing);
  }

  async settle(sequence: number, filing: Filing): Promise<void> {
    await this.#decide(sequence, () => filing);
  }

  remove(sequence: number): Promise<void> {
    return this.write(async (transaction) => {
      await transaction.write(deleteOne, sequence);
    });
  }

  /** Resolves with the filing of the scan afterwards; `undefined` if there is no such scan. */
  #decide(sequence: number, choose: (known: Filing | undefined) => Filing): Promise<Filing | undefined> {
    return this.write(async (transaction) => {
      const [row] = await transaction.rows<ProvisionalRow>(selectOne, sequence);
      if (row === undefined) return undefined;
      const scan = toProvisional(row);
      const filing = choose(scan.filing);
      if (filing !== scan.filing) transaction.send(updateOne, sequence, bodyOf({ ...scan, filing }));
      return filing;
    });
  }
}

/** Adds scans, one after another, and returns their sequences. A known scan keeps its sequence. */
async function addScans(transaction: Transaction, scans: readonly NewScan[]): Promise<readonly number[]> {
  const moments = scans.map(momentOf);
  const known = await transaction.rows<{ sequence: number; moment: Buffer }>(selectByMoments, moments);
  const sequences = new Map(known.map(({ sequence, moment }) => [moment.toString('hex'), sequence]));
  const added: { readonly sequence: number; readonly moment: Buffer; readonly scan: NewScan }[] = [];
  const results = scans.map((scan, index) => {
    const moment = moments[index] ?? momentOf(scan);
    const there = sequences.get(moment.toString('hex'));
    if (there !== undefined) return there;
    const sequence = transaction.next('provisionalNumber');
    sequences.set(moment.toString('hex'), sequence);
    added.push({ sequence, moment, scan });
    const { id, reader, bootId, monotonicMs } = scan;
    transaction.tell({ kind: 'provisional', sequence, id, reader, bootId, monotonicMs });
    return sequence;
  });
  if (added.length > 0) {
    transaction.send(
      insertScans,
      added.map(({ sequence }) => sequence),
      added.map(({ moment }) => moment),
      added.map(({ scan }) => bytesOfId(scan.id)),
      added.map(({ scan }) => bodyOf(scan)),
    );
  }
  return results;
}
