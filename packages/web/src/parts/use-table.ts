import type { Table } from '@tallybook/client';
import { useEffect, useMemo } from 'preact/hooks';
import { usePage } from '../page-context.js';
import { Answer } from '../state/requests.js';
import { momentOf, type DayRange } from '../state/days.js';
import { withToday } from '../state/days-table.js';

interface LiveTable {
  /** `undefined` until it is read. */
  readonly table: Table | undefined;
  readonly isMissing: boolean;
  readonly load: () => void;
}

/** The people who were there in a range, up to the last tap. */
export function useTable({ from, to }: DayRange): LiveTable {
  const { client, session, formats } = usePage();
  // A new answer for each range: with the table of another range, the page would say that nobody was there.
  const answer = useMemo(() => new Answer<Table>(), [from, to]);
  const load = (): void =>
    void answer.ask((signal, known) => {
      const moments = { from: momentOf(from, formats.wallClock), to: momentOf(to, formats.wallClock) };
      return client.readTable(moments, { signal, known });
    });
  useEffect(load, [from, to, formats, session.names.all.value, session.changes.value]);
  useEffect(() => () => answer.giveUp(), [answer]);
  const read = answer.value.value;
  const people = session.today.people.value;
  const today = session.clock.told.value?.day;
  const table = useMemo(
    () => read && withToday(read, { from, to }, today, people),
    [read, from, to, today, people],
  );
  return { table, isMissing: answer.isMissing.value, load };
}
