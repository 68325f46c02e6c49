import type { Cursor } from '@tallybook/domain';

/** The id of the event of a change: the origin of the journal, and the place of the change in it. */
export function formatEventId(origin: string, cursor: Cursor): string {
  return `${origin}-${cursor}`;
}

/** The place in an id; `undefined` if the id is not of this journal. */
export function parseEventId(origin: string, id: string): Cursor | undefined {
  const cursor = Number(id.slice(origin.length + 1));
  return Number.isSafeInteger(cursor) && cursor >= 0 && id === formatEventId(origin, cursor)
    ? cursor
    : undefined;
}
