import { quote } from '@tallybook/domain';
import type Koa from 'koa';
import type { Query } from './query.js';

/** A parameter with a few allowed values; `undefined` if it is absent. Throws 400 for another value. */
export function choice<T extends string>(
  ctx: Koa.Context,
  query: Query,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = query.text(name);
  const found = values.find((value) => value === text);
  if (found !== undefined || text === undefined) return found;
  const allowed = values.map((value) => `"${value}"`).join(' or ');
  return ctx.throw(400, `${name}: must be ${allowed} if it is given; got ${quote(text)}`);
}
