import { setImmediate } from 'node:timers/promises';
import type Koa from 'koa';
import { quote } from '@tallybook/domain';
import type { UnnamedTag, UnnamedTags } from '@tallybook/domain/record';
import type { Answers } from '../../answers/answers.js';
import { listOf, piecesOf } from '../list-pieces.js';
import { Query } from '../../requests/query.js';
import type { Route } from '../route.js';

/** Number of past days in which tags are searched: the default, and the maximum of ten years. */
export const UNNAMED_DEFAULT_DAYS = 60;
export const UNNAMED_MAX_DAYS = 3_660;

/** `GET /api/unnamed`: the tags that were read and have no name. */
export function unnamedRoutes(unnamed: UnnamedTags, answers: Answers): readonly Route[] {
  const list = (ctx: Koa.Context): Promise<void> => {
    const days = selectDays(ctx);
    return answers.send(ctx, {
      key: `unnamed ${days}`,
      read: async () => {
        const tags = await unnamed.list(days, () => setImmediate());
        return piecesOf('[', listOf(tags, formatTag), ']');
      },
    });
  };
  return [{ method: 'GET', path: '/api/unnamed', action: 'see-record', handle: list }];
}

function selectDays(ctx: Koa.Context): number {
  const text = new Query(ctx).text('days') ?? String(UNNAMED_DEFAULT_DAYS);
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= UNNAMED_MAX_DAYS) return days;
  return ctx.throw(400, `days: must be a number from 1 to ${UNNAMED_MAX_DAYS}; got ${quote(text)}`);
}

function formatTag({ id, at, day, scans, reader }: UnnamedTag): string {
  return JSON.stringify({ id, at, day, scans, reader });
}
