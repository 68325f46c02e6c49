import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Calendar } from '@tallybook/domain';
import type { RangeService } from '@tallybook/domain/record';
import type Koa from 'koa';
import type { Answers } from '../../answers/answers.js';
import type { Downloads } from '../../answers/downloads.js';
import { tagOfBytes } from '../../answers/entity-tags.js';
import { Query } from '../../requests/query.js';
import type { Route } from '../route.js';
import { selectCodes } from './select-codes.js';
import { selectRange } from './select-range.js';
import { tablePieces } from './table-source.js';

export interface TableRoutesDependencies {
  readonly ranges: RangeService;
  readonly calendar: Calendar;
}

/** `GET /api/table`: the attendance in a range of days. */
export function tableRoutes(
  { ranges, calendar }: TableRoutesDependencies,
  answers: Answers,
  downloads: Downloads,
): readonly Route[] {
  const table = (ctx: Koa.Context): unknown => {
    const query = new Query(ctx);
    const { from, to } = selectRange(query, calendar);
    const codeOf = selectCodes(ctx, query);
    ranges.check(from, to);
    const write = async function* (): AsyncGenerator<string, void, undefined> {
      yield* tablePieces(await ranges.open(from, to, codeOf), () => setImmediate());
    };
    return answers.send(ctx, {
      // Answers with codes are never equal, so none is shared or kept.
      key: `table ${from} ${to}${codeOf === undefined ? '' : ` ${randomUUID()}`}`,
      // A digest of the revision, because the revision names every day and is kept in memory.
      revision: async () =>
        codeOf === undefined ? tagOfBytes(await ranges.revision(from, to)) : randomUUID(),
      read: () => Promise.resolve(write()),
      stream: (headers) => downloads.send(ctx, { headers, write }),
    });
  };
  return [{ method: 'GET', path: '/api/table', action: 'see-record', isCostly: true, handle: table }];
}
