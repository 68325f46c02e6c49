import type { Association, MappingSnapshot } from '../ports/mapping-store.js';
import type { TallyId } from '../values/tally-id.js';

/** Associations in a page: enough to make up for the asking, and read in a moment. */
const PAGE_SIZE = 500;

/** All associations, of which it holds one page at a time. */
export async function* associationsOf(
  read: MappingSnapshot['page'],
): AsyncGenerator<Association, void, undefined> {
  let last: TallyId | undefined;
  for (;;) {
    const page = await read(last, PAGE_SIZE);
    if (page.length === 0) return;
    yield* page;
    last = page.at(-1)?.[0];
  }
}
