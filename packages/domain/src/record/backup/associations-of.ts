import type { Association, MappingSnapshot } from '../../ports/names/mapping-store.js';

/** Rows in a page: large enough for few calls, small enough for short ones. */
const PAGE_SIZE = 500;

/** Reads all rows of a store that gives them a page at a time, one page in memory at a time. */
export async function* rowsOf<Row, Key>(
  read: (after: Key | undefined, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row, void, undefined> {
  let after: Key | undefined;
  for (;;) {
    const page = await read(after, PAGE_SIZE);
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    after = keyOf(last);
  }
}

/** Reads all associations. */
export function associationsOf(read: MappingSnapshot['page']): AsyncGenerator<Association, void, undefined> {
  return rowsOf(read, ([id]) => id);
}
