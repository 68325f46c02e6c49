import { createHash } from 'node:crypto';
import { TallybookError, type ProvisionalScan } from '@tallybook/domain';
import type { SiteRows } from '../connection/session.js';
import { idOfBytes } from './stored-values.js';

/** A row of `tallybook.provisional`. */
export interface ProvisionalRow {
  readonly sequence: number;
  readonly id: Buffer;
  /** JSON of all other fields, as text. */
  readonly body: string;
}

const selectAll = 'SELECT sequence, id, body FROM tallybook.provisional WHERE site = $1 ORDER BY sequence';

/**
 * All provisional scans, ascending by sequence.
 *
 * @param onDamage Called for damaged scans, which are left out. Default: a damaged scan makes the read reject.
 */
export async function readProvisional(
  site: SiteRows,
  onDamage?: (error: unknown) => void,
): Promise<readonly ProvisionalScan[]> {
  const rows = await site.rows<ProvisionalRow>(selectAll);
  return rows.flatMap((row) => {
    try {
      return [toProvisional(row)];
    } catch (error) {
      if (onDamage === undefined) throw error;
      onDamage(error);
      return [];
    }
  });
}

/** JSON of the fields without a column. */
export function bodyOf(scan: Omit<ProvisionalScan, 'sequence'>): string {
  return JSON.stringify({ ...scan, sequence: undefined, id: undefined });
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toProvisional({ sequence, id, body }: ProvisionalRow): ProvisionalScan {
  try {
    const rest = JSON.parse(body) as Omit<ProvisionalScan, 'sequence' | 'id'>;
    return { sequence, id: idOfBytes(id), ...rest };
  } catch (error) {
    throw new TallybookError('STORE_CORRUPT', `the provisional scan ${sequence} is damaged`, {
      cause: error,
    });
  }
}

/** The key that identifies a scan: a digest of its tag, its run, and its moment on the monotonic clock. */
export function momentOf({ id, bootId, monotonicMs }: Omit<ProvisionalScan, 'sequence'>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([id, bootId, monotonicMs]))
    .digest();
}
