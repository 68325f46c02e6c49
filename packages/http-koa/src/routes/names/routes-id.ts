import type { FoundTag, TagFinder } from '@tallybook/domain/record';
import type { Answers } from '../../answers/answers.js';
import { parseField } from '../../requests/query.js';
import type { Handlers } from '../implement.js';

/** The tags that a text may mean, as people write ids, and what is known of them. */
export function idHandlers(tags: TagFinder, answers: Answers): Handlers<'GET /api/id'> {
  return {
    'GET /api/id': ({ ctx, query: { format, text } }) =>
      // A tag of which nothing is known is searched on all days.
      answers.send(ctx, {
        key: `id ${JSON.stringify([format, text])}`,
        read: async () => {
          const found = await parseField('text', text, (value) => tags.look(value, format));
          return [JSON.stringify({ readings: found.map(readingJson), formats: tags.typed.spellings })];
        },
      }),
  };
}

function readingJson({ id, format, name, person, isLost, lastSeen }: FoundTag): object {
  return {
    id,
    format,
    name: name ?? null,
    person: person ?? null,
    isLost: isLost === true,
    lastSeen: lastSeen ?? null,
  };
}
