import { toTimestamp, type AttendanceDay, type Entry, type GroupId, type TallyId } from '@tallybook/domain';
import type { CorrectedDay, Correction, PeopleDirectory } from '@tallybook/domain/record';
import { mayDo } from '@tallybook/domain/access';
import { principalOf } from '../../access/principal-of.js';
import type { Answers, Pieces } from '../../answers/answers.js';
import { listOf, piecesOf } from '../list-pieces.js';
import type { Services } from '../../app-services.js';
import type { Handlers } from '../implement.js';
import { entriesOf, loadRecord } from './routes-days.js';
import { waitingOf } from './routes-provisional.js';
import { timeState } from '../service/routes-time.js';

type PresentPerson = Awaited<ReturnType<PeopleDirectory['present']>>[number];

type TodayDependencies = Services<'attendance' | 'calendar' | 'timekeeper', 'corrections' | 'directory'>;

/**
 * The time, the entries of today and their persons, and the scans without a known day. They are in one answer, so that a page on a
 * slow network waits only once. There is an answer even on a day without a record.
 */
export function todayHandlers(dependencies: TodayDependencies, answers: Answers): Handlers<'GET /api/today'> {
  const { attendance, directory } = dependencies;
  const read = async (
    seesRecord: boolean,
    group: GroupId | undefined,
    within: readonly GroupId[] | undefined,
  ): Promise<Pieces> => {
    const now = timeState(dependencies);
    const { day } = now;
    const [whole, waiting] = await Promise.all([
      loadRecord(day, { seesRecord }, dependencies),
      // Who sees only today, or only groups, must not learn who may have been there on another day.
      seesRecord && within === undefined ? attendance.listProvisional() : [],
    ]);
    const inGroup = async (entries: readonly Entry[]): Promise<readonly PresentPerson[]> =>
      (await directory?.present({ day, entries }, { group, within })) ?? [];
    const people = await inGroup(whole?.entries ?? []);
    const record = whole && (await recordWithin(whole, directory, within));
    let shown = { record, waiting };
    if (group !== undefined) {
      const voided = record !== undefined && 'voided' in record ? record.voided : [];
      const at = toTimestamp(now.time);
      const scans = waiting.map(({ id }) => ({ id, first: at, last: at, count: 1 }));
      const ids = new Set<TallyId>();
      for (const each of [people, await inGroup(voided), await inGroup(scans)])
        for (const person of each) for (const id of person.ids) ids.add(id);
      shown = { record: record && onlyOf(record, ids), waiting: waiting.filter(({ id }) => ids.has(id)) };
    }
    return piecesOf(
      `{"now":${JSON.stringify(now)},"entries":[`,
      shown.record === undefined ? '' : entriesOf(shown.record),
      '],"people":[',
      listOf(people, formatPerson),
      '],"waiting":[',
      waitingOf(shown.waiting),
      ']}',
    );
  };
  return {
    'GET /api/today': ({ ctx, query: { group } }) => {
      const { groups: within } = principalOf(ctx);
      const seesRecord = mayDo(principalOf(ctx), 'see-record');
      if ((group ?? within) !== undefined && directory === undefined)
        return ctx.throw(404, 'Not offered here: the storage has no people');
      return answers.send(ctx, {
        key: `today ${seesRecord} ${JSON.stringify([group, within])}`,
        read: () => read(seesRecord, group, within),
      });
    },
  };
}

/** A record as somebody sees it who is bound to these groups: without entries of which others have a part. */
async function recordWithin(
  record: AttendanceDay | CorrectedDay,
  directory: PeopleDirectory | undefined,
  within: readonly GroupId[] | undefined,
): Promise<AttendanceDay | CorrectedDay> {
  if (directory === undefined || within === undefined) return record;
  const { day } = record;
  const own = (entries: readonly Entry[]): Promise<readonly Entry[]> =>
    directory.entriesWithin({ day, entries }, within);
  const entries = await own(record.entries);
  if (!('voided' in record)) return { ...record, entries };
  const corrections = new Map<TallyId, readonly Correction[]>();
  for (const [id, its] of record.corrections) {
    const seen = await directory.scansWithin(its, within);
    if (seen.length > 0) corrections.set(id, seen);
  }
  return { ...record, entries, voided: await own(record.voided), corrections };
}

/** A record with the entries of these tags. */
function onlyOf<T extends AttendanceDay | CorrectedDay>(record: T, ids: ReadonlySet<TallyId>): T {
  const isOne = ({ id }: Entry): boolean => ids.has(id);
  const voided = 'voided' in record && { voided: record.voided.filter(isOne) };
  return { ...record, entries: record.entries.filter(isOne), ...voided };
}

function formatPerson({ person, name, groups, isGuest, ids, first, last, scans }: PresentPerson): string {
  return JSON.stringify({ person, name: name ?? null, groups, isGuest, ids, first, last, scans });
}
