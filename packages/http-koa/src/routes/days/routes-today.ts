import { authorise } from '@tallybook/domain/access';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import type { Answers, Pieces } from '../../answers/answers.js';
import { piecesOf } from '../list-pieces.js';
import type { Route } from '../route.js';
import { entriesOf, loadRecord, type DayRoutesDependencies } from './routes-days.js';
import { waitingOf } from './routes-provisional.js';
import { timeState, type TimeRoutesDependencies } from '../service/routes-time.js';

type TodayDependencies = DayRoutesDependencies & Pick<TimeRoutesDependencies, 'timekeeper'>;

/**
 * `GET /api/today`: the time, the entries of today, and the scans without a known day. They are in one answer, so that a page on a
 * slow network waits only once. There is an answer even on a day without a record.
 */
export function todayRoutes(dependencies: TodayDependencies, answers: Answers): readonly Route[] {
  const { attendance } = dependencies;
  const read = async (seesRecord: boolean): Promise<Pieces> => {
    const now = timeState(dependencies);
    const [record, scans] = await Promise.all([
      loadRecord(now.day, { seesRecord }, dependencies),
      // A role that sees only today must not learn who may have been there on another day.
      seesRecord ? attendance.listProvisional() : [],
    ]);
    const entries = record === undefined ? '' : entriesOf(record);
    const head = `{"now":${JSON.stringify(now)},"entries":[`;
    return piecesOf(head, entries, '],"waiting":[', waitingOf(scans), ']}');
  };
  const today = (ctx: Koa.Context): Promise<void> => {
    const seesRecord = authorise(principalOf(ctx).role, 'see-record');
    return answers.send(ctx, { key: `today ${seesRecord}`, read: () => read(seesRecord) });
  };
  return [{ method: 'GET', path: '/api/today', action: 'see-today', handle: today }];
}
