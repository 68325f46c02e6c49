import { TallybookError, parseKeptName, type Association, type Name, type TallyId } from '@tallybook/domain';
import { NO_STAMP, type Stamp, type StampedName } from '@tallybook/domain';
import type { SiteRows } from '../connection/session.js';
import { bytesOfId, idOfBytes } from './stored-values.js';

/** A row of `tallybook.name` that has a name. */
export interface NameRow {
  readonly id: Buffer;
  readonly first: string;
  readonly last: string;
}

/** $1: site, $2: id after which the page begins, $3: how many. */
const selectPage = `SELECT id, first, last FROM tallybook.name
  WHERE site = $1 AND id > $2 AND first IS NOT NULL ORDER BY id LIMIT $3`;

const BEFORE_ALL = Buffer.alloc(0);

/** Associations, ascending by id. */
export async function readNamePage(
  site: SiteRows,
  after: TallyId | undefined,
  limit: number,
): Promise<readonly Association[]> {
  const start = after === undefined ? BEFORE_ALL : bytesOfId(after);
  const rows = await site.rows<NameRow>(selectPage, start, limit);
  return rows.map((row) => [idOfBytes(row.id), toName(row)]);
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toName({ id, first, last }: NameRow): Name {
  try {
    return parseKeptName({ first, last });
  } catch (error) {
    throw new TallybookError('STORE_CORRUPT', `the name of the tag ${idOfBytes(id)} is damaged`, {
      cause: error,
    });
  }
}

/** The stamp in a row of `tallybook.name`. */
export interface StampColumns {
  /** `null` although `node` is set: the time was unknown. */
  readonly ms: number | null;
  readonly counter: number | null;
  /** `null`: there is no stamp. */
  readonly node: string | null;
}

/** A row of `tallybook.name`. */
export interface StampedNameRow extends StampColumns {
  readonly id: Buffer;
  /** Both are `null` if the name was removed. */
  readonly first: string | null;
  readonly last: string | null;
}

export const stampColumns = 'stamp_ms AS ms, stamp_counter AS counter, stamp_node AS node';
export const stampedColumns: string = `first, last, ${stampColumns}`;

/** The stamped names of some tags. $1: site, $2: ids. */
export const selectStampedNames: string = `SELECT n.id, ${stampedColumns} FROM unnest($2::bytea[]) AS t (id)
  JOIN tallybook.name n ON n.site = $1 AND n.id = t.id`;

/** $1: site, $2: id after which the page begins, $3: how many. */
const selectStampedPage = `SELECT id, ${stampedColumns} FROM tallybook.name WHERE site = $1 AND id > $2 ORDER BY id LIMIT $3`;

/** The stamped names of these tags, in their order. Rejects with `STORE_CORRUPT` if a name is damaged. */
export async function readStampedNames(
  site: SiteRows,
  ids: readonly TallyId[],
): Promise<readonly StampedName[]> {
  if (ids.length === 0) return [];
  const rows = await site.rows<StampedNameRow>(selectStampedNames, [...new Set(ids)].map(bytesOfId));
  const names = new Map(rows.map((row) => [idOfBytes(row.id), toStampedName(row)]));
  return ids.flatMap((id) => names.get(id) ?? []);
}

/** Names with their stamps, ascending by id; removed names are included. Rejects as {@link readStampedNames} does. */
export async function readStampedPage(
  site: SiteRows,
  after: TallyId | undefined,
  limit: number,
): Promise<readonly StampedName[]> {
  const start = after === undefined ? BEFORE_ALL : bytesOfId(after);
  const rows = await site.rows<StampedNameRow>(selectStampedPage, start, limit);
  return rows.map(toStampedName);
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toStampedName(row: StampedNameRow): StampedName {
  return {
    id: idOfBytes(row.id),
    name: hasName(row) ? toName(row) : undefined,
    stamp: stampOf(row),
  };
}

export function hasName(row: StampedNameRow): row is StampedNameRow & NameRow {
  return row.first !== null;
}

/** Whether the row has a stamp, also one of an unknown time, or is the row of a removed name. */
export function hasStamp({ first, node }: StampedNameRow): boolean {
  return node !== null || first === null;
}

/** `undefined`: the time was unknown. */
export function stampOf({ ms, counter, node }: StampColumns): Stamp | undefined {
  if (node === null) return NO_STAMP;
  return ms === null ? undefined : { ms, counter: counter ?? 0, node };
}
