import { quote, spellingNames, type SpellingName, type TallyId } from '@tallybook/domain';
import type { TagFinder } from '@tallybook/domain/record';
import type Koa from 'koa';
import type { Query } from './query.js';

/** The spelling of an id, which is given beside it; `undefined` if it is absent. Throws 400 for another value. */
export function formatOf(ctx: Koa.Context, value: unknown): SpellingName | undefined {
  const found = spellingNames.find((name) => name === value);
  if (found !== undefined || value === undefined) return found;
  const allowed = spellingNames.join(', ');
  return ctx.throw(400, `format: must be one of ${allowed} if it is given; got ${quote(value)}`);
}

/** Reads the parameter `id` of a query, with `format` beside it. */
export function requiredTagOfQuery(
  ctx: Koa.Context,
  query: Query,
  tags: TagFinder,
): TallyId | Promise<TallyId> {
  const format = formatOf(ctx, query.text('format'));
  return query.required('id', (text) => tags.find(text, format));
}
