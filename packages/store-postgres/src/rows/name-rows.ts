import { TallybookError, parseKeptName, type Association, type Name, type TallyId } from '@tallybook/domain';
import type { Queryable, Statement } from '../connection/statement.js';
import { bytesOfId, idOfBytes } from './ids.js';

/** A row of `tallybook.name` that has a name. */
export interface NameRow {
  readonly id: Buffer;
  readonly first: string;
  readonly last: string;
}

/** $1: site, $2: id after which the page begins, $3: how many. */
const selectPage: Statement = {
  name: 'name-page',
  text: `SELECT id, first, last FROM tallybook.name
    WHERE site = $1 AND id > $2 AND first IS NOT NULL ORDER BY id LIMIT $3`,
};

const BEFORE_ALL = Buffer.alloc(0);

/** Associations, ascending by id. */
export async function readNamePage(
  connection: Queryable,
  site: string,
  { after, limit }: { readonly after: TallyId | undefined; readonly limit: number },
): Promise<readonly Association[]> {
  const start = after === undefined ? BEFORE_ALL : bytesOfId(after);
  const rows = await connection.query<NameRow>(selectPage, [site, start, limit]);
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
