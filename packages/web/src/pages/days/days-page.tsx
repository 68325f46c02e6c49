import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { PageHead, WithToday } from '../../parts/placeholders.js';
import { RangeFields } from '../../parts/form/range-fields.js';
import { GroupFilter, useGroup } from '../../parts/group-filter.js';
import { useTable } from '../../parts/use-table.js';
import { paths, type PathParams } from '../../routing.js';
import { parseRange, wholeYear, yearOf, type DayRange } from '../../state/days.js';
import { countsOf } from '../../state/days-table.js';
import { ChosenDays } from './chosen-days.js';
import { YearCalendar } from './year-calendar.js';
import { Button } from '../../parts/button.js';

/** A year as a calendar, and the people who were there on the chosen days. */
export function DaysPage({ from, to }: PathParams): VNode {
  const { texts } = usePage();
  return (
    <WithToday title={texts.days.title}>
      {(today) => <Days today={today} chosen={parseRange(from, to) ?? { from: today, to: today }} />}
    </WithToday>
  );
}

function Days({ today, chosen }: { readonly today: number; readonly chosen: DayRange }): VNode {
  const { session, texts, address } = usePage();
  const year = yearOf(chosen.to);
  const whole = wholeYear(year);
  const from = Math.min(whole.from, chosen.from);
  const asked = useTable({ from, to: whole.to });
  const { value: table, load } = asked;
  const counts = useMemo(() => (table === undefined ? NONE : countsOf(table)), [table]);
  // A table of one group knows no other.
  const isCounted = useGroup().id === '' && chosen.from === chosen.to;
  const countsOfDay = useMemo(
    () =>
      isCounted && table !== undefined
        ? new Map(table.groups.map(({ id, days }) => [id, days[chosen.from] ?? 0]))
        : undefined,
    [table, chosen.from, isCounted],
  );
  const choose = (range: DayRange): void => address.replace(paths.days(range));
  return (
    <>
      <PageHead title={texts.days.title}>
        <RangeFields range={chosen} today={today} onChoose={choose} />
      </PageHead>
      <GroupFilter {...(countsOfDay && { counts: countsOfDay })} />
      <div class="days">
        <section class="days-calendar no-print" aria-labelledby="year-heading">
          <div class="days-year">
            <Button
              icon="previous"
              label={texts.days.previousYear}
              onClick={() => choose(wholeYear(year - 1))}
            />
            <h2 id="year-heading" aria-live="polite">
              {year}
            </h2>
            <Button icon="next" label={texts.days.nextYear} onClick={() => choose(wholeYear(year + 1))} />
          </div>
          <YearCalendar year={year} chosen={chosen} today={today} counts={counts} onChoose={choose} />
          <p class="quiet days-legend">
            <span class="only-wide">{texts.days.hint} </span>
            {texts.days.legend}:{' '}
            {LEVELS_SHOWN.map((level) => (
              <i key={level} data-level={level} />
            ))}
          </p>
        </section>
        <ChosenDays
          range={chosen}
          asked={asked}
          onRemoved={() => {
            load();
            if (chosen.to === today) session.load();
          }}
        />
      </div>
    </>
  );
}

const NONE: ReadonlyMap<number, number> = new Map();
const LEVELS_SHOWN = [0, 1, 2, 3, 4];
