import type { Association, MappingSnapshot } from '../../ports/names/mapping-store.js';
import type { TallyId } from '../../values/tally-id.js';

/** Associations in a page: large enough for few calls, small enough for short ones. */
const PAGE_SIZE = 500;

/** Reads all associations, one page in memory at a time. */
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
