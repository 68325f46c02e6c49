import { type Receipt, type ReceiptStore } from '@tallybook/domain';
import { acknowledgedOf, withAcknowledged, type StationRun } from '@tallybook/domain/sync';
import { PostgresFacet } from '../database/postgres-facet.js';
import type { Transaction } from '../database/transaction.js';

/** Kept as the acknowledged runs of a station are. */
type Runs = readonly StationRun[];

interface ReceiptRow {
  readonly device: string;
  /** JSON of {@link Runs}. */
  readonly runs: string;
}

/** $1: site, $2: devices. */
const selectSome = 'SELECT device, runs FROM tallybook.receipt WHERE site = $1 AND device = ANY ($2::text[])';

/** $1: site. */
const selectAll = 'SELECT device, runs FROM tallybook.receipt WHERE site = $1 ORDER BY device';

/** $1: site, $2: devices, $3: runs. */
const upsert = `INSERT INTO tallybook.receipt (site, device, runs)
  SELECT $1, t.device, t.runs FROM unnest($2::text[], $3::text[]) AS t (device, runs)
  ON CONFLICT (site, device) DO UPDATE SET runs = excluded.runs`;

/** Keeps receipts in PostgreSQL, a row for each device. */
export class PostgresReceiptStore extends PostgresFacet implements ReceiptStore {
  async latest(device: string, run: string): Promise<number> {
    const [row] = await this.rows<ReceiptRow>(selectSome, [device]);
    return acknowledgedOf(runsOf(row), run);
  }

  note(device: string, run: string, number: number): Promise<void> {
    return this.submit(noteAll, { device, run, number }, 1);
  }

  async list(): Promise<readonly Receipt[]> {
    const rows = await this.rows<ReceiptRow>(selectAll);
    return rows.flatMap((row) => runsOf(row).map(([run, number]) => ({ device: row.device, run, number })));
  }
}

async function noteAll(transaction: Transaction, items: readonly Receipt[]): Promise<readonly undefined[]> {
  const devices = [...new Set(items.map(({ device }) => device))];
  const rows = await transaction.rows<ReceiptRow>(selectSome, devices);
  const runs = new Map<string, Runs>(rows.map((row) => [row.device, runsOf(row)]));
  for (const { device, run, number } of items) {
    runs.set(device, withAcknowledged(runs.get(device) ?? [], run, number));
  }
  const bodies = devices.map((device) => JSON.stringify(runs.get(device) ?? []));
  await transaction.write(upsert, devices, bodies);
  return items.map(() => undefined);
}

/** The runs in a row; empty if they are damaged: then repeated readings are accepted again. */
function runsOf(row: ReceiptRow | undefined): Runs {
  if (row === undefined) return [];
  try {
    const runs = JSON.parse(row.runs) as readonly (readonly [unknown, unknown])[];
    return runs.every(([run, number]) => typeof run === 'string' && Number.isSafeInteger(number))
      ? (runs as Runs)
      : [];
  } catch {
    return [];
  }
}
