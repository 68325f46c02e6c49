import type { AttendanceDay, Day, Entry } from '@tallybook/domain';
import type { CorrectedDay } from '@tallybook/domain/record';
import { mayDo } from '@tallybook/domain/access';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import type { Answers } from '../../answers/answers.js';
import { tagOfBytes } from '../../answers/entity-tags.js';
import { requireRight } from '../../held-right.js';
import { listOf, piecesOf, type Part } from '../list-pieces.js';
import { correctionJson } from '../corrections/routes-corrections.js';
import type { Services } from '../../app-services.js';
import type { Handlers } from '../implement.js';
import { selectDay, selectRange } from '../select-days.js';

/**
 * The record of a day; `undefined` if there is none. Only roles that see the record get corrections and their reasons. Others
 * get the entries that count.
 */
export function loadRecord(
  day: Day,
  { seesRecord }: { readonly seesRecord: boolean },
  { attendance, corrections }: Services<'attendance', 'corrections'>,
): Promise<AttendanceDay | CorrectedDay | undefined> {
  return (seesRecord ? corrections?.explain(day) : undefined) ?? attendance.loadDay(day);
}

/** The entries of a record, with corrections if it has them. */
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

/** Who was there on a day, and which days have a record. */
export function dayHandlers(
  dependencies: Services<'attendance' | 'calendar' | 'timekeeper', 'corrections' | 'ranges'>,
  { answers, costlyAnswers }: { readonly answers: Answers; readonly costlyAnswers: Answers },
): Handlers<'GET /api/day' | 'GET /api/days'> {
  const { attendance, calendar, corrections, timekeeper } = dependencies;
  return {
    'GET /api/day': ({ ctx, query }) => {
      const selected = selectDay(query, calendar) ?? ctx.throw(404, 'Not found');
      const seesRecord = mayDo(principalOf(ctx), 'see-record');
      // A role that sees only today does not learn whether other days have a record.
      if (!seesRecord && selected !== calendar.dayOf(timekeeper.now())) requireRight(ctx, 'see-record');
      const expanded: Form = seesRecord ? 'explained' : 'counting';
      const form: Form = query.expand === undefined ? 'ids' : expanded;
      return answers.send(ctx, {
        key: `day ${selected} ${form}`,
        revision: () => attendance.dayRevision(selected),
        read: async () => {
          const isExplained = form === 'explained';
          const record = await loadRecord(selected, { seesRecord: isExplained }, { attendance, corrections });
          return record && piecesOf(...partsOf(record, form));
        },
      });
    },
    'GET /api/days': ({ ctx, query }) => {
      const { from, to } = selectRange(query, calendar);
      const { group } = query;
      if (group !== undefined) {
        const { ranges = notOffered(ctx) } = dependencies;
        ranges.check(from, to);
        return costlyAnswers.send(ctx, {
          key: `days ${from} ${to} ${group}`,
          // A digest, because the revision names every day and is kept in memory.
          revision: async () => tagOfBytes(await ranges.revision(from, to)),
          read: async () => {
            await using range = await ranges.open(from, to, { group });
            return piecesOf('[', listOf(await range.days(), String), ']');
          },
        });
      }
      return costlyAnswers.send(ctx, {
        key: `days ${from} ${to}`,
        revision: () => attendance.listRevision(),
        read: async () => piecesOf('[', listOf(await attendance.listDays(from, to), String), ']'),
      });
    },
  };
}

function notOffered(ctx: Koa.Context): never {
  return ctx.throw(404, 'Not offered here: the app has no ranges, which record() adds');
}

/** `explained`: entries with their corrections; `counting`: the entries that count. */
type Form = 'ids' | 'counting' | 'explained';

function partsOf(record: AttendanceDay | CorrectedDay, form: Form): readonly Part[] {
  const { day, entries } = record;
  const ids = [`{"date":${day},"ids":[`, listOf(entries, ({ id }) => `"${id}"`), ']'];
  return form === 'ids' ? [...ids, '}'] : [...ids, ',"entries":[', entriesOf(record), ']}'];
}
