import type { AttendanceRange, Person, Presence } from '@tallybook/domain/record';
import { PIECE_LENGTH } from '../list-pieces.js';

/** A table as JSON, person by person. Disposes of the range. */
export async function* tablePieces(
  opened: AttendanceRange,
  pause: () => Promise<void>,
): AsyncGenerator<string, void, undefined> {
  await using range = opened;
  const table = await range.table(pause);
  let text = `{"days":[${table.days.join(',')}],"people":[`;
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

function beginningOf({ name, ids }: Person): string {
  const written = name === undefined ? 'null' : JSON.stringify({ first: name.first, last: name.last });
  return `{"name":${written},"ids":["${ids.join('","')}"],"days":{`;
}

function formatPresence({ day, first, last, scans }: Presence): string {
  return `"${day}":{"first":${first},"last":${last},"scans":${scans}}`;
}
