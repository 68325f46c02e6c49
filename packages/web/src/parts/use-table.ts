import type { Table } from '@tallybook/client';
import { useMemo } from 'preact/hooks';
import { usePage } from '../page-context.js';
import { momentOf, type DayRange } from '../state/days.js';
import { withToday } from '../state/days-table.js';
import { useGroup } from './group-filter.js';
import { useAnswer, type Asked } from './use-requests.js';

/** The people who were there in a range, up to the last tap. */
export function useTable({ from, to }: DayRange): Asked<Table> {
  const { client, session, formats } = usePage();
  const group = useGroup();
  const asked = useAnswer<Table>(
    (signal, known) => {
      const moments = { from: momentOf(from, formats.wallClock), to: momentOf(to, formats.wallClock) };
      return client.get('/api/table', {
        query: { ...moments, ...(group.id !== '' && { group: group.id }) },
        signal,
        known,
      });
    },
    [formats, session.people.all.value, session.changes.value],
    // With the table of another range, the page would say that nobody was there.
    `${from} ${to} ${group.id}`,
  );
  const all = session.today.people.value;
  const people = useMemo(() => all.filter(group.has), [all, group.id]);
  const today = session.clock.told.value?.day;
  const value = useMemo(
    () => asked.value && withToday(asked.value, { from, to }, today, people),
    [asked.value, from, to, today, people],
  );
  return { ...asked, value };
}
