import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { RANGE_MAX_DAYS, rangeOf, wholeMonth, wholeYear, yearOf, type DayRange } from '../../state/days.js';
import { Button } from '../button.js';
import { Failure } from '../placeholders.js';
import { DateField } from './field.js';

/** Two dates, and buttons for the usual ranges. */
export function RangeFields({
  range,
  today,
  onChoose,
}: {
  readonly range: DayRange;
  readonly today: number;
  readonly onChoose: (range: DayRange) => void;
}): VNode {
  const { texts } = usePage();
  const error = useSignal<string | undefined>(undefined);
  const take = (day: number | undefined, other: number): void => {
    const next = day === undefined ? undefined : rangeOf(day, other);
    if (next === undefined) error.value = texts.days.wrongDate;
    else if (next.to - next.from >= RANGE_MAX_DAYS) error.value = texts.days.tooLong;
    else {
      error.value = undefined;
      onChoose(next);
    }
  };
  const choices: readonly (readonly [string, DayRange])[] = [
    [texts.today.title, { from: today, to: today }],
    [texts.days.thisMonth, wholeMonth(today)],
    [texts.days.lastMonth, wholeMonth(today, -1)],
    [texts.days.wholeYear, wholeYear(yearOf(range.to))],
  ];
  return (
    <div class="range no-print">
      <DateField label={texts.days.from} day={range.from} onChoose={(day) => take(day, range.to)} />
      <DateField label={texts.days.to} day={range.to} onChoose={(day) => take(day, range.from)} />
      <div class="actions">
        {choices.map(([label, choice]) => (
          <Button
            key={label}
            isPressed={choice.from === range.from && choice.to === range.to}
            onClick={() => onChoose(choice)}
          >
            {label}
          </Button>
        ))}
      </div>
      <Failure text={error.value} />
    </div>
  );
}
