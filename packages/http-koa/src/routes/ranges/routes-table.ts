import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Calendar, RangeService } from '@tallybook/domain';
import type Koa from 'koa';
import type { Answers } from '../../answers/answers.js';
import { tagOfBytes } from '../../answers/entity-tags.js';
import { Query } from '../../requests/query.js';
import type { Route } from '../route.js';
import { selectCodes } from './select-codes.js';
import { selectRange } from './select-range.js';
import { TableSource } from './table-source.js';

export interface TableRoutesDependencies {
  readonly ranges: RangeService;
  readonly calendar: Calendar;
}

/** `GET /api/table`: the attendance in a range of days. */
export function tableRoutes(
  { ranges, calendar }: TableRoutesDependencies,
  answers: Answers,
): readonly Route[] {
  const table = (ctx: Koa.Context): unknown => {
    const query = new Query(ctx);
    const { from, to } = selectRange(query, calendar);
    const codeOf = selectCodes(ctx, query);
    const pause = (): Promise<void> => setImmediate();
    if (codeOf !== undefined) {
      ranges.check(from, to);
      return answers.send(ctx, {
        key: `table ${from} ${to} with codes`,
        // Each answer has its own codes, so no two answers are equal.
        revision: () => Promise.resolve(randomUUID()),
        open: async () => TableSource.of(await ranges.open(from, to, codeOf), pause),
      });
    }
    return answers.send(ctx, {
      key: `table ${from} ${to}`,
      // A digest of the revision, because the revision names every day and is kept in memory.
      revision: async () => tagOfBytes(await ranges.revision(from, to)),
      open: async () => TableSource.of(await ranges.open(from, to), pause),
    });
  };
  return [{ method: 'GET', path: '/api/table', action: 'see-record', isCostly: true, handle: table }];
}
