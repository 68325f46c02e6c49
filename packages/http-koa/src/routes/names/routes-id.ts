import type { FoundTag, TagFinder } from '@tallybook/domain/record';
import type Koa from 'koa';
import type { Answers } from '../../answers/answers.js';
import { formatOf, parseField, Query } from '../../requests/query.js';
import type { Route } from '../route.js';

/** `GET /api/id`: the tags that a text may mean, as people write ids, and what is known of them. */
export function idRoutes(tags: TagFinder, answers: Answers): readonly Route[] {
  const look = async (ctx: Koa.Context): Promise<void> => {
    const query = new Query(ctx);
    const format = formatOf(ctx, query.text('format'));
    const text = query.text('text');
    // A tag of which nothing is known is searched on all days.
    await answers.send(ctx, {
      key: `id ${JSON.stringify([format, text])}`,
      read: async () => {
        const found = await parseField('text', text, (value) => tags.look(value, format));
        return [JSON.stringify({ readings: found.map(readingJson), formats: tags.typed.spellings })];
      },
    });
  };
  return [{ method: 'GET', path: '/api/id', action: 'see-record', handle: look }];
}

function readingJson({ id, format, name, lastSeen }: FoundTag): object {
  return { id, format, name: name ?? null, lastSeen: lastSeen ?? null };
}
