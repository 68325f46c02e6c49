import { useSignal } from '@preact/signals';
import type { Correction } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { CorrectionMarks } from '../../parts/corrections/correction-marks.js';
import { Table, type Column, type Sorting } from '../../parts/table/table.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { paths } from '../../routing/paths.js';
import { correctionsOf } from '../../state/days/corrections-of.js';
import type { PresenceOfDay } from '../../state/days/table-of.js';
import { correctionTexts } from '../../texts/topics/corrections.js';

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
  const { texts, formats } = usePage();
  const words = useTopic(correctionTexts);
  const days = useMemo(() => {
    const known = new Set(present.map(({ day }) => day));
    const gone = corrections.filter(({ day, state }) => state !== 'rejected' && !known.has(day));
    const others = new Map(gone.map(({ day, at }) => [day, { day, first: at, last: at, scans: 0 }]));
    return [...present, ...others.values()];
  }, [present, corrections]);
  const sorting = useSignal<Sorting>({ key: 'day', isDescending: true });
  const columns = useMemo<readonly Column<PresenceOfDay>[]>(() => {
    const { columns: labels } = texts;
    const find = correctionsOf(corrections);
    const corrected: Column<PresenceOfDay> = {
      key: 'corrections',
      label: words.column,
      cell: ({ day }) => <CorrectionMarks corrections={find(day, ids)} />,
    };
    const correct = (correctDay: (day: number) => void): Column<PresenceOfDay> => ({
      key: 'correct',
      label: words.correct,
      cell: ({ day }) => (
        <button
          type="button"
          class="button no-print"
          aria-haspopup="dialog"
          aria-label={words.correctOf(formats.shortDay(day))}
          onClick={() => correctDay(day)}
        >
          {words.correct}
        </button>
      ),
    });
    const timeOf =
      (key: 'first' | 'last') =>
      (row: PresenceOfDay): string =>
        row.scans === 0 ? '' : formats.time(row[key]);
    return [
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
  }, [texts, words, formats, ids.join(), corrections, onCorrect === undefined]);
  return (
    <Table
      caption={texts.person.picture}
      columns={columns}
      rows={days}
      keyOf={({ day }) => String(day)}
      sorting={sorting}
      classOf={({ scans }) => (scans === 0 ? 'row-gone' : '')}
    />
  );
}
