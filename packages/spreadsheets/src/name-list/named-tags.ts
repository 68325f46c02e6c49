import type { ListedName } from '@tallybook/domain/record';
import { refuse } from './remarks.js';
import type { NameListLines } from './read-name-list.js';

/** The names of the tags in a list, one line for each tag. Persons without a tag are left out, and counted in the reading. */
export async function* namedTags(list: NameListLines): AsyncGenerator<ListedName, void, undefined> {
  let isEmpty = true;
  for await (const row of list) {
    if (!('code' in row) && row.tags.length === 0) {
      list.reading.withoutTag++;
      continue;
    }
    isEmpty = false;
    if ('code' in row) yield row;
    else for (const id of row.tags) yield { line: row.line, id, name: row.name };
  }
  if (isEmpty) yield refuse(1, 'nobody in the list has a tag');
}
