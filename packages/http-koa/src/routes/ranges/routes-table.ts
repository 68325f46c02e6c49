import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { AttendanceRange, AttendanceTable, Presence, TablePerson } from '@tallybook/domain/record';
import { principalOf } from '../../access/principal-of.js';
import type { Answers } from '../../answers/answers.js';
import type { Downloads } from '../../answers/downloads.js';
import { tagOfBytes } from '../../answers/entity-tags.js';
import { PIECE_LENGTH } from '../list-pieces.js';
import type { Services } from '../../app-services.js';
import type { Handlers } from '../implement.js';
import { selectRange } from '../select-days.js';
import { selectCodes } from './select-codes.js';

/** A table as JSON, person by person. Disposes of the range. */
async function* tablePieces(
  opened: AttendanceRange,
  pause: () => Promise<void>,
): AsyncGenerator<string, void, undefined> {
  await using range = opened;
  const table = await range.table(pause);
  let text = `{"days":[${table.days.join(',')}],"groups":[${table.groups.map(formatGroup).join(',')}],"people":[`;
  for (const [place, person] of table.people.entries()) {
    text += `${place === 0 ? '' : ','}${beginningOf(person)}`;
    let comma = '';
    for (const presence of await table.presencesOf(place)) {
      text += comma + formatPresence(presence);
      comma = ',';
    }
    text += '}}';
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield `${text}]}`;
}

function formatGroup({ id, name, days }: AttendanceTable['groups'][number]): string {
  return JSON.stringify({ id, name, days: Object.fromEntries(days) });
}

function beginningOf({ id, name, number, groups, ids }: TablePerson): string {
  const person = {
    person: id ?? null,
    name: name === undefined ? null : { first: name.first, last: name.last },
    number: number ?? null,
    groups,
    ids,
  };
  return `${JSON.stringify(person).slice(0, -1)},"days":{`;
}

function formatPresence({ day, first, last, scans, isOutside }: Presence): string {
  const outside = isOutside === true ? ',"isOutside":true' : '';
  return `"${day}":{"first":${first},"last":${last},"scans":${scans}${outside}}`;
}

/** Whose days a table has. Those who are bound to groups see the tags of who is in them today. */
function whoseOf(group: string | undefined, within: readonly string[] | undefined, today: number): unknown {
  return within === undefined ? [group] : [group, within, today];
}

/** The attendance in a range of days. */
export function tableHandlers(
  { ranges, calendar, timekeeper }: Services<'ranges' | 'calendar' | 'timekeeper'>,
  answers: Answers,
  downloads: Downloads,
): Handlers<'GET /api/table'> {
  return {
    'GET /api/table': ({ ctx, query }) => {
      const { from, to } = selectRange(query, calendar);
      const { group } = query;
      const codeOf = selectCodes(query);
      const { groups: within } = principalOf(ctx);
      const today = calendar.dayOf(timekeeper.now());
      const wanted = { codeOf, group, within, today };
      ranges.check(from, to);
      const write = async function* (): AsyncGenerator<string, void, undefined> {
        yield* tablePieces(await ranges.open(from, to, wanted), () => setImmediate());
      };
      return answers.send(ctx, {
        // Answers with codes are never equal, so none is shared or kept.
        key: `table ${from} ${to} ${JSON.stringify(whoseOf(group, within, today))}${codeOf === undefined ? '' : ` ${randomUUID()}`}`,
        // A digest of the revision, because the revision names every day and is kept in memory.
        revision: async () =>
          codeOf === undefined ? tagOfBytes(await ranges.revision(from, to)) : randomUUID(),
        read: () => Promise.resolve(write()),
        stream: (headers) => downloads.send(ctx, { headers, write }),
      });
    },
  };
}
