import {
  authorise,
  parseTimestamp,
  type AttendanceDay,
  type AttendanceService,
  type Calendar,
  type CorrectedDay,
  type CorrectionService,
  type Day,
  type Entry,
  type Timekeeper,
} from '@tallybook/domain';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import type { Answers } from '../../answers/answers.js';
import { choice } from '../../requests/choice.js';
import { Query } from '../../requests/query.js';
import { listOf, ListSource, type Part } from '../../answers/source.js';
import { correctionJson } from '../corrections/correction-json.js';
import type { Route } from '../route.js';
import { selectDay } from '../select-day.js';

export interface DayRoutesDependencies {
  readonly attendance: AttendanceService;
  readonly calendar: Calendar;
  /** Explains entries that were corrected. */
  readonly corrections?: CorrectionService | undefined;
}

/** `GET /api/day` and `GET /api/days`: who was there, and on which days somebody was. */
export function dayRoutes(
  {
    attendance,
    calendar,
    corrections,
    timekeeper,
  }: DayRoutesDependencies & { readonly timekeeper: Timekeeper },
  answers: Answers,
): readonly Route[] {
  const day = (ctx: Koa.Context): unknown => {
    const query = new Query(ctx);
    const selected = selectDay(query, calendar) ?? ctx.throw(404, 'Not found');
    const expanded: Form = authorise(principalOf(ctx).role, 'see-record') ? 'explained' : 'counting';
    const form: Form = choice(ctx, query, 'expand', ['entries']) === undefined ? 'ids' : expanded;
    return answers.send(ctx, {
      key: `day ${selected} ${form}`,
      revision: () => attendance.dayRevision(selected),
      open: async () => {
        const record = await (form === 'explained'
          ? explainedDay(selected, { attendance, corrections })
          : attendance.loadDay(selected));
        return record && new ListSource(partsOf(record, form), record.entries.length * ENTRY_BYTES);
      },
    });
  };
  const days = (ctx: Koa.Context): unknown => {
    const query = new Query(ctx);
    const from = calendar.dayOf(query.required('from', parseTimestamp));
    const to = calendar.dayOf(query.required('to', parseTimestamp));
    return answers.send(ctx, {
      key: `days ${from} ${to}`,
      revision: () => attendance.listRevision(),
      open: async () => {
        const found = await attendance.listDays(from, to);
        return new ListSource(['[', listOf(found, String), ']'], found.length * DAY_BYTES);
      },
    });
  };
  /** Who sees no more than today is answered about this one day, and learns of no other whether it has a record. */
  const isToday = (ctx: Koa.Context): boolean => {
    try {
      return selectDay(new Query(ctx), calendar) === calendar.dayOf(timekeeper.now());
    } catch {
      return false;
    }
  };
  return [
    {
      method: 'GET',
      path: '/api/day',
      action: (ctx, may) => (may('see-record') || !isToday(ctx) ? 'see-record' : 'see-today'),
      actions: ['see-today', 'see-record'],
      handle: day,
    },
    { method: 'GET', path: '/api/days', action: 'see-record', handle: days },
  ];
}

/** What was corrected, and why, is for those who see the record: others get the entries that count. */
type Form = 'ids' | 'counting' | 'explained';

/** What an entry, and a day of a list, take in memory, about. */
export const ENTRY_BYTES = 200;
const DAY_BYTES = 8;

/** The record of a day, with what was corrected, if anything can be; `undefined` if there is none. */
export function explainedDay(
  day: Day,
  { attendance, corrections }: Pick<DayRoutesDependencies, 'attendance' | 'corrections'>,
): Promise<AttendanceDay | CorrectedDay | undefined> {
  return corrections?.explain(day) ?? attendance.loadDay(day);
}

function partsOf(record: AttendanceDay | CorrectedDay, form: Form): readonly Part[] {
  const { day, entries } = record;
  const ids = [`{"date":${day},"ids":[`, listOf(entries, ({ id }) => `"${id}"`), ']'];
  return form === 'ids' ? [...ids, '}'] : [...ids, ',"entries":[', entriesOf(record), ']}'];
}

/** The entries of a record, with what was corrected if it tells. */
export function entriesOf(record: AttendanceDay | CorrectedDay): Part {
  const { entries } = record;
  if (!('voided' in record)) return listOf(entries, formatEntry);
  const { voided, corrections } = record;
  const all = voided.length === 0 ? entries : [...entries, ...voided];
  const isVoided = new Set(voided);
  const formatExplained = (entry: Entry): string => {
    const its = corrections.get(entry.id);
    if (its === undefined) return formatEntry(entry);
    const { id, first, last, count } = entry;
    return JSON.stringify({
      ...{ id, first, last, count },
      ...(isVoided.has(entry) && { isVoided: true }),
      corrections: its.map(correctionJson),
    });
  };
  return listOf(all, formatExplained);
}

function formatEntry({ id, first, last, count }: Entry): string {
  return JSON.stringify({ id, first, last, count });
}
