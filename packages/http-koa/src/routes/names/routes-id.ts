import type { FoundTag, TagFinder } from '@tallybook/domain';
import type Koa from 'koa';
import { sendState } from '../../answers/representation.js';
import { parseField } from '../../requests/parse-field.js';
import { Query } from '../../requests/query.js';
import { formatOf } from '../../requests/requested-tag.js';
import type { Route } from '../route.js';

/** `GET /api/id`: the tags that a text may mean, as people write ids, and what is known of them. */
export function idRoutes(tags: TagFinder): readonly Route[] {
  const look = async (ctx: Koa.Context): Promise<void> => {
    const query = new Query(ctx);
    const format = formatOf(ctx, query.text('format'));
    const found = await parseField('text', query.text('text'), (text) => tags.look(text, format));
    sendState(ctx, { readings: found.map(readingJson), formats: tags.typed.spellings });
  };
  return [{ method: 'GET', path: '/api/id', action: 'see-record', handle: look }];
}

function readingJson({ id, format, name, lastSeen }: FoundTag): object {
  return { id, format, name: name ?? null, lastSeen: lastSeen ?? null };
}
