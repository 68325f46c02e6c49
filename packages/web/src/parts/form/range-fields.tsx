import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import {
  dayOfIso,
  isoOf,
  RANGE_MAX_DAYS,
  rangeOf,
  wholeMonth,
  wholeYear,
  yearOf,
  type DayRange,
} from '../../state/days.js';
import { Button } from '../button.js';

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
  const errorId = useId();
  const take = (text: string, other: number): void => {
    const day = dayOfIso(text);
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
      <DateField
        label={texts.days.from}
        day={range.from}
        errorId={errorId}
        onInput={(text) => take(text, range.to)}
      />
      <DateField
        label={texts.days.to}
        day={range.to}
        errorId={errorId}
        onInput={(text) => take(text, range.from)}
      />
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
      <p id={errorId} class="field-error" role="alert">
        {error.value}
      </p>
    </div>
  );
}

function DateField({
  label,
  day,
  errorId,
  onInput,
}: {
  readonly label: string;
  readonly day: number;
  readonly errorId: string;
  readonly onInput: (text: string) => void;
}): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* Taken only when it is complete: a half-typed year is one of antiquity. */}
      <input
        id={id}
        type="date"
        min="1970-01-01"
        value={isoOf(day)}
        aria-describedby={errorId}
        onChange={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
