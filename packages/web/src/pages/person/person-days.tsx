import type { VNode } from 'preact';
import type { Correction } from '@tallybook/client';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { wholeMonth, type DayRange } from '../../state/days.js';
import { correctionsOf, pictureOf, type PresenceOfDay } from '../../state/days-table.js';
import { CorrectionMarks } from '../../parts/corrections/correction-marks.js';
import { Table, type Column } from '../../parts/table.js';
import { paths } from '../../routing.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { Button } from '../../parts/button.js';

/** Approximate number of hours with a label at the side. */
const HOURS_WRITTEN = 5;

/** Days from left to right, hours from top to bottom: a bar from the first tap of a day to the last. */
export function PresencePicture({
  days,
  range,
}: {
  readonly days: readonly PresenceOfDay[];
  readonly range: DayRange;
}): VNode {
  const { formats, words: people } = usePage(peopleTexts);
  const { hours, path } = pictureOf(days, range, formats.wallClock);
  const width = range.to - range.from + 1;
  const span = hours.to - hours.from;
  const step = Math.ceil(span / HOURS_WRITTEN);
  const written = Array.from(
    { length: Math.floor(span / step) + 1 },
    (_, index) => hours.from + index * step,
  );
  const months = monthsOf(range);
  return (
    <figure class="picture">
      <div class="picture-hours" aria-hidden="true">
        {written.map((hour) => (
          <span key={hour} style={{ insetBlockStart: `${(100 * (hour - hours.from)) / span}%` }}>
            {formats.timeOfDay((hour % 24) * 60)}
          </span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={people.picture}
        viewBox={`0 ${hours.from * 60} ${width} ${span * 60}`}
        preserveAspectRatio="none"
      >
        <path
          class="picture-lines"
          vector-effect="non-scaling-stroke"
          d={[
            ...written.map((hour) => `M0 ${hour * 60}h${width}`),
            ...months.map((day) => `M${day - range.from} ${hours.from * 60}v${span * 60}`),
          ].join('')}
        />
        <path class="picture-bars" d={path} />
      </svg>
      <div class="picture-months" aria-hidden="true">
        {months.length <= MOST_MONTHS &&
          months.map((day) => (
            <span key={day} style={{ insetInlineStart: `${(100 * (day - range.from)) / width}%` }}>
              {formats.month(day).slice(0, 3)}
            </span>
          ))}
      </div>
      <figcaption class="quiet">{people.picture}</figcaption>
    </figure>
  );
}

/** Maximum number of labelled months: more have no room. */
const MOST_MONTHS = 13;

/** The first days of months in a range. */
function monthsOf({ from, to }: DayRange): readonly number[] {
  const firsts: number[] = [];
  for (
    let day = wholeMonth(from, wholeMonth(from).from === from ? 0 : 1).from;
    day <= to;
    day = wholeMonth(day, 1).from
  ) {
    firsts.push(day);
  }
  return firsts;
}

/** The days of a person in words, the latest first: the content of the picture, and corrections. */
export function PersonDays({
  days: present,
  ids,
  corrections,
  onCorrect,
}: {
  readonly days: readonly PresenceOfDay[];
  readonly ids: readonly string[];
  /** Corrections of the person's tags. */
  readonly corrections: readonly Correction[];
  /** `undefined` for a user who may not correct. */
  readonly onCorrect: ((day: number) => void) | undefined;
}): VNode {
  const { texts, formats, words } = usePage(correctionTexts);
  const { words: people } = usePage(peopleTexts);
  const days = useMemo(() => {
    const known = new Set(present.map(({ day }) => day));
    const gone = corrections.filter(({ day, state }) => state !== 'rejected' && !known.has(day));
    const others = new Map(gone.map(({ day, at }) => [day, { day, first: at, last: at, scans: 0 }]));
    return [...present, ...others.values()];
  }, [present, corrections]);
  const { columns: labels } = texts;
  const find = correctionsOf(corrections);
  const corrected: Column<PresenceOfDay> = {
    key: 'corrections',
    label: words.title,
    cell: ({ day }) => <CorrectionMarks corrections={find(day, ids)} />,
  };
  const correct = (correctDay: (day: number) => void): Column<PresenceOfDay> => ({
    key: 'correct',
    label: words.correct,
    cell: ({ day }) => (
      <Button
        class="button no-print"
        opensDialog
        label={words.correctOf(formats.shortDay(day))}
        onClick={() => correctDay(day)}
      >
        {words.correct}
      </Button>
    ),
  });
  const timeOf =
    (key: 'first' | 'last') =>
    (row: PresenceOfDay): string =>
      row.scans === 0 ? '' : formats.time(row[key]);
  const columns: readonly Column<PresenceOfDay>[] = [
    {
      key: 'day',
      label: labels.day,
      isHeader: true,
      cell: ({ day }) => (
        <a href={paths.days({ from: day, to: day })} class="person-link">
          {formats.shortDay(day)}
        </a>
      ),
      compare: (one, other) => one.day - other.day,
    },
    { key: 'first', label: labels.first, cell: timeOf('first') },
    { key: 'last', label: labels.last, cell: timeOf('last') },
    { key: 'taps', label: labels.taps, cell: ({ scans }) => formats.number(scans) },
    ...(corrections.some(({ state }) => state !== 'rejected') ? [corrected] : []),
    ...(onCorrect === undefined ? [] : [correct(onCorrect)]),
  ];
  return (
    <Table
      caption={people.picture}
      columns={columns}
      rows={days}
      keyOf={({ day }) => String(day)}
      sortedBy="day"
      isDescending
      classOf={({ scans }) => (scans === 0 ? 'row-gone' : '')}
    />
  );
}
