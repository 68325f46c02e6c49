import type { Table } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { CannotRead } from '../../parts/cannot-read.js';
import { Loading } from '../../parts/loading.js';
import { Empty } from '../../parts/empty.js';
import type { DayRange } from '../../state/days/days.js';
import { presencesOf } from '../../state/days/table-of.js';
import { EntriesTable } from './entries-table.js';
import { FileLinks } from './file-links.js';
import { PeopleOfDays } from './people-of-days.js';
import { RemoveDay } from './remove-day.js';
import { ShapeChoice, type Shape } from './shape-choice.js';

/** Who was there on a day or in a range, to be looked at and saved. */
export function ChosenDays({
  range,
  table,
  isMissing,
  onTryAgain,
  onRemoved,
}: {
  readonly range: DayRange;
  /** `undefined` until it is read. */
  readonly table: Table | undefined;
  readonly isMissing: boolean;
  readonly onTryAgain: () => void;
  readonly onRemoved: () => void;
}): VNode {
  const { texts, formats } = usePage();
  const chosenShape = useSignal<Shape>('table');
  const { from, to } = range;
  const isOneDay = from === to;
  const present = useMemo(() => (table === undefined ? [] : presencesOf(table, range)), [table, from, to]);
  const days = table?.days.filter((day) => day >= from && day <= to) ?? [];
  // A day has its times in either case.
  const shape = isOneDay ? 'entries' : chosenShape.value;
  const title = isOneDay ? formats.day(from) : formats.dayRange(from, to);
  return (
    <section class="days-chosen" aria-labelledby="chosen-heading">
      <h2 id="chosen-heading" aria-live="polite">
        {title}
      </h2>
      {isMissing && <CannotRead onTryAgain={onTryAgain} />}
      {table === undefined ? (
        isMissing ? undefined : (
          <Loading />
        )
      ) : days.length === 0 ? (
        <Empty title={texts.days.nobody} hint={texts.days.nobodyHint} />
      ) : (
        <>
          <p class="quiet">
            {texts.days.people(present.length)}
            {isOneDay ? '' : ` · ${texts.days.days(days.length)}`}
          </p>
          <div class="days-tools no-print">
            {!isOneDay && (
              <ShapeChoice shape={chosenShape.value} onChoose={(each) => (chosenShape.value = each)} />
            )}
            <FileLinks range={range} shape={shape} />
          </div>
          {shape === 'table' ? (
            <PeopleOfDays present={present} range={range} title={title} />
          ) : (
            <EntriesTable present={present} range={range} title={title} />
          )}
          {isOneDay && (
            <RemoveDay day={from} people={texts.days.people(present.length)} onRemoved={onRemoved} />
          )}
        </>
      )}
    </section>
  );
}
