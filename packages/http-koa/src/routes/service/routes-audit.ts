import { quote } from '@tallybook/domain';
import type { AuditTrail } from '@tallybook/domain/access';
import type Koa from 'koa';
import { sendState } from '../../answers/representation.js';
import { Query } from '../../requests/query.js';
import type { Route } from '../route.js';

/** Number of entries in an answer: the default, and the maximum. */
export const AUDIT_DEFAULT_LIMIT = 100;
export const AUDIT_MAX_LIMIT = 1_000;

const DIGITS = /^\d{1,15}$/;

/** `GET /api/audit`: who did what and when. */
export function auditRoutes(trail: Pick<AuditTrail, 'page'>): readonly Route[] {
  const list = async (ctx: Koa.Context): Promise<void> => {
    const after = selectNumber(ctx, 'after', { least: 0, most: Number.MAX_SAFE_INTEGER });
    const limit = selectNumber(ctx, 'limit', { least: 1, most: AUDIT_MAX_LIMIT });
    sendState(ctx, { ...(await trail.page(after, limit ?? AUDIT_DEFAULT_LIMIT)) });
  };
  return [{ method: 'GET', path: '/api/audit', action: 'see-audit', handle: list }];
}

function selectNumber(
  ctx: Koa.Context,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const text = new Query(ctx).text(name);
  if (text === undefined) return undefined;
  const number = DIGITS.test(text) ? Number(text) : -1;
  if (number >= least && number <= most) return number;
  return ctx.throw(400, `${name}: must be a number from ${least} to ${most}; got ${quote(text)}`);
}
