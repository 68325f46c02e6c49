import { authorise } from '@tallybook/domain/access';
import { principalOf } from '../../access/principal-of.js';
import type { Answers, Pieces } from '../../answers/answers.js';
import { piecesOf } from '../list-pieces.js';
import type { Handlers } from '../implement.js';
import { entriesOf, loadRecord, type DayDependencies } from './routes-days.js';
import { waitingOf } from './routes-provisional.js';
import { timeState, type TimeDependencies } from '../service/routes-time.js';

type TodayDependencies = DayDependencies & Pick<TimeDependencies, 'timekeeper'>;

/**
 * The time, the entries of today, and the scans without a known day. They are in one answer, so that a page on a
 * slow network waits only once. There is an answer even on a day without a record.
 */
export function todayHandlers(dependencies: TodayDependencies, answers: Answers): Handlers<'GET /api/today'> {
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
    return piecesOf(head, entries, '],"people":[],"waiting":[', waitingOf(scans), ']}');
  };
  return {
    'GET /api/today': ({ ctx }) => {
      const seesRecord = authorise(principalOf(ctx).role, 'see-record');
      return answers.send(ctx, { key: `today ${seesRecord}`, read: () => read(seesRecord) });
    },
  };
}
