import type { TagFinder } from '@tallybook/domain/record';
import type { Answers } from '../../answers/answers.js';
import { textFor } from '../../answers/json-of.js';
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
          const readings = found.map((each) => ({ ...each, isLost: each.isLost === true }));
          return [textFor('GET /api/id', { readings, formats: tags.typed.spellings })];
        },
      }),
  };
}
