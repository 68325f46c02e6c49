import type { Association, MappingSnapshot } from '@tallybook/domain';

const NAMES_OF_PIECE = 500;

/** Form of an answer with names: the text before and after them, and the text of each name. */
export interface MappingForm {
  readonly open: string;
  readonly close: string;
  readonly format: (association: Association) => string;
}

/** The mapping at one moment, with a page of names in each piece. Disposes of the snapshot. */
export async function* mappingPieces(
  snapshot: MappingSnapshot,
  { open, close, format }: MappingForm,
): AsyncGenerator<string, void, undefined> {
  await using names = snapshot;
  let head = open;
  for (let page; (page = await names.page(page?.at(-1)?.[0], NAMES_OF_PIECE)).length > 0; head = ',')
    yield head + page.map(format).join(',');
  yield head === open ? open + close : close;
}
