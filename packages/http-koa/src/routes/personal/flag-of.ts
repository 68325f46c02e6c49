import { quote } from '@tallybook/domain';
import type Koa from 'koa';

/** A field of a body that is true or false; false if it is absent. Throws 400 for any other value. */
export function flagOf(ctx: Koa.Context, name: string, value: unknown): boolean {
  if (value === undefined) return false;
  return typeof value === 'boolean'
    ? value
    : ctx.throw(400, `${name}: must be true or false if it is given; got ${quote(value)}`);
}
