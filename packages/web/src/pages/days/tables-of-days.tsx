import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Correction, TablePerson } from '@tallybook/client';
import { usePage } from '../../page-context.js';
import { PersonLink } from '../../parts/person-link.js';
import { Table, type Column } from '../../parts/table.js';
import type { DayRange } from '../../state/days.js';
import { correctionsOf, stripOf, type PresenceOfDay, type Presences } from '../../state/days-table.js';
import { CorrectionMarks } from '../../parts/corrections/correction-marks.js';
import { lastResortsOf } from '../../state/people/people.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { Button } from '../../parts/button.js';

/** A row for each person, with the number of days and the days. */
export function PeopleOfDays({
  present,
  range,
  title,
}: {
  readonly present: readonly Presences[];
  readonly range: DayRange;
  readonly title: string;
}): VNode {
  const { texts, formats } = usePage();
  const { from, to } = range;
  const { columns: labels } = texts;
  const places = new Map(present.map((each, index) => [each, index]));
  const placeOf = (each: Presences): number => places.get(each) ?? 0;
  const columns: readonly Column<Presences>[] = [
    {
      key: 'name',
      label: labels.name,
      isHeader: true,
      cell: ({ person }) => <PersonLink person={person} range={range} />,
      // In the order of the service.
      compare: (one, other) => placeOf(one) - placeOf(other),
    },
    {
      key: 'days',
      label: labels.days,
      cell: ({ days }) => formats.number(days.length),
      compare: (one, other) => one.days.length - other.days.length,
    },
    {
      key: 'when',
      label: labels.when,
      cell: ({ days }) => (
        <svg class="strip" viewBox={`0 0 ${to - from + 1} 1`} preserveAspectRatio="none" aria-hidden="true">
          <path d={stripOf(days, range)} />
        </svg>
      ),
    },
  ];
  return (
    <Table
      caption={title}
      columns={columns}
      rows={present}
      keyOf={({ person }) => keyOf(person)}
      sortedBy="name"
    />
  );
}

/** Maximum number of drawn rows: nobody reads more, and more are slow on a small tablet. */
const MOST_ROWS = 500;

interface Row extends PresenceOfDay {
  readonly person: Pick<TablePerson, 'person' | 'name' | 'ids'>;
}

/**
 * A row for each person and day, the latest day first. Also has people without a tap that counts, because all their taps are
 * void.
 */
export function EntriesTable({
  present,
  range,
  title,
  corrections,
  onCorrect,
}: {
  readonly present: readonly Presences[];
  readonly range: DayRange;
  readonly title: string;
  readonly corrections: readonly Correction[];
  /** `undefined` for a user who may not correct. */
  readonly onCorrect:
    | ((person: Pick<TablePerson, 'person' | 'name' | 'ids'>, day: number) => void)
    | undefined;
}): VNode {
  const { session, texts, formats, words } = usePage(correctionTexts);
  const isOneDay = range.from === range.to;
  const { people } = session;
  const rows = useMemo(() => {
    const there = present.flatMap(({ person: { ids, ...who }, days }) => {
      // A table leaves out tags of last resort, but corrections may be on them.
      const holder = people.byId.value.get(who.person ?? '');
      const person = { ...who, ids: holder ? ids.concat(lastResortsOf(holder).map(({ id }) => id)) : ids };
      return days.map((day): Row => ({ ...day, person }));
    });
    const known = new Set(there.flatMap(({ day, person }) => person.ids.map((id) => `${day} ${id}`)));
    const gone = new Map<string, Row>();
    for (const { day, id, at, state } of corrections) {
      if (state === 'rejected' || known.has(`${day} ${id}`)) continue;
      const person = people.rowOf(id);
      gone.set(`${day} ${id}`, { day, person, first: at, last: at, scans: 0 });
    }
    return [...there, ...gone.values()].sort((one, other) => other.day - one.day || one.first - other.first);
  }, [present, corrections, people.all.value]);
  const { columns: labels } = texts;
  const timeOf =
    (key: 'first' | 'last') =>
    (row: Row): string =>
      row.scans === 0 ? '' : formats.time(row[key]);
  const day: Column<Row> = {
    key: 'day',
    label: labels.day,
    cell: (row) => formats.shortDay(row.day),
    compare: by('day'),
  };
  const find = correctionsOf(corrections);
  const nameOf = ({ person, day: of }: Row): string =>
    `${person.name === null ? person.ids.join() : formats.name(person.name)}${isOneDay ? '' : `, ${formats.shortDay(of)}`}`;
  const columns: readonly Column<Row>[] = [
    {
      key: 'name',
      label: labels.name,
      isHeader: true,
      cell: (row) => (
        <span class="who">
          <PersonLink person={row.person} range={range} />
          {onCorrect !== undefined && (
            <Button
              icon="edit"
              class="button-plain no-print"
              opensDialog
              label={words.correctOf(nameOf(row))}
              onClick={() => onCorrect(row.person, row.day)}
            />
          )}
          <CorrectionMarks corrections={find(row.day, row.person.ids)} />
        </span>
      ),
    },
    ...(isOneDay ? [] : [day]),
    { key: 'first', label: labels.first, cell: timeOf('first'), compare: by('first') },
    { key: 'last', label: labels.last, cell: timeOf('last'), compare: by('last') },
    { key: 'taps', label: labels.taps, cell: ({ scans }) => formats.number(scans), compare: by('scans') },
  ];
  return (
    <>
      <Table
        caption={title}
        columns={columns}
        rows={rows.slice(0, MOST_ROWS)}
        keyOf={({ day, person }) => `${day} ${keyOf(person)}`}
        classOf={({ scans }) => (scans === 0 ? 'row-gone' : '')}
      />
      {rows.length > MOST_ROWS && <p class="quiet">{texts.days.more(rows.length - MOST_ROWS)}</p>}
    </>
  );
}

function keyOf({ person, ids }: Pick<TablePerson, 'person' | 'ids'>): string {
  return person ?? ids.join();
}

function by(key: 'day' | 'first' | 'last' | 'scans'): (one: Row, other: Row) => number {
  return (one, other) => one[key] - other[key];
}
