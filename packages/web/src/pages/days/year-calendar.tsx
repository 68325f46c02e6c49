import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { placeInWeek, rangeOf, wholeMonth, wholeYear, type DayRange } from '../../state/days.js';
import { usePage } from '../../page-context.js';
import { levelOf } from '../../state/days-table.js';

/** The day to which a key leads from another one; `undefined` for keys that lead nowhere. */
export function stepOf(
  { key, altKey, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>,
  day: number,
  firstOfWeek: number,
  isRightToLeft: boolean,
): number | undefined {
  if (altKey || ctrlKey || metaKey) return undefined;
  const forward = isRightToLeft ? -1 : 1;
  const place = placeInWeek(day, firstOfWeek);
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: day + forward,
    ArrowLeft: day - forward,
    ArrowDown: day + 7,
    ArrowUp: day - 7,
    Home: day - place,
    End: day + 6 - place,
    PageUp: inMonth(day, -1),
    PageDown: inMonth(day, 1),
  };
  return steps[key];
}

/** The same date of another month, or the last day of that month if it is shorter. */
function inMonth(day: number, later: number): number {
  const { from, to } = wholeMonth(day, later);
  return Math.min(to, from + day - wholeMonth(day).from);
}

interface DayCell {
  readonly day: number;
  readonly level: number;
  /** Text for a day: the date, and the number of people. */
  readonly label: string;
}

/** A sheet of the calendar: a button for each day. */
function Month({
  days,
  chosen,
  reachable,
  today,
}: {
  readonly days: readonly DayCell[];
  readonly chosen: DayRange;
  /** The only day that the Tab key reaches. */
  readonly reachable: number;
  readonly today: number;
}): VNode {
  const { formats } = usePage();
  const first = days[0]?.day ?? 0;
  const empty = placeInWeek(first, formats.firstOfWeek());
  const weeks = Math.ceil((empty + days.length) / 7);
  return (
    <table class="month" role="grid" aria-multiselectable="true">
      <caption>{formats.month(first)}</caption>
      <thead>
        <tr>
          {WEEK.map((place) => (
            <th key={place} scope="col">
              {formats.weekday(first - empty + place)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: weeks }, (_, week) => (
          <tr key={week}>
            {WEEK.map((place) => {
              const cell = days[week * 7 + place - empty];
              if (cell === undefined) return <td key={place} />;
              const { day, level, label } = cell;
              return (
                <td key={place} role="gridcell" aria-selected={day >= chosen.from && day <= chosen.to}>
                  <button
                    type="button"
                    data-day={day}
                    data-level={level}
                    tabIndex={day === reachable ? 0 : -1}
                    aria-label={label}
                    {...(day === today && { 'aria-current': 'date' })}
                  >
                    {formats.number(day - first + 1)}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const WEEK = [0, 1, 2, 3, 4, 5, 6];

const MONTHS = [...Array(12).keys()];

/**
 * A year with a sheet for each month. The darker a day is, the more people were there.
 *
 * The Tab key reaches one day; from there, arrows, Home, End, Page Up and Page Down reach the others. Shift, or
 * dragging the mouse, chooses a range.
 */
export function YearCalendar({
  year,
  chosen,
  today,
  counts,
  onChoose,
}: {
  readonly year: number;
  readonly chosen: DayRange;
  readonly today: number;
  /** Number of people who were there, by day. */
  readonly counts: ReadonlyMap<number, number>;
  readonly onChoose: (range: DayRange) => void;
}): VNode {
  const { texts, formats } = usePage();
  const element = useRef<HTMLDivElement>(null);
  const anchor = useRef(chosen.from);
  const focus = useSignal(chosen.to);
  const dragged = useSignal<DayRange | undefined>(undefined);
  const whole = wholeYear(year);
  const isOfYear = (day: number): boolean => day >= whole.from && day <= whole.to;
  const reachable = isOfYear(focus.value) ? focus.value : chosen.to;
  const shown = dragged.value ?? chosen;
  if (shown.from === shown.to) anchor.current = shown.from;

  const cells = useMemo(() => {
    const most = Math.max(1, ...counts.values());
    return MONTHS.map((month) => {
      const { from, to } = wholeMonth(whole.from, month);
      return Array.from({ length: to - from + 1 }, (_, index): DayCell => {
        const count = counts.get(from + index) ?? 0;
        const label = `${formats.day(from + index)}: ${texts.days.people(count)}`;
        return { day: from + index, level: levelOf(count, most), label };
      });
    });
  }, [year, counts, texts, formats]);

  useEffect(() => {
    const months = element.current;
    const month = months?.querySelector(`[data-day="${chosen.to}"]`)?.closest<HTMLElement>('.month');
    // A phone shows one month at a time.
    if (months && month) months.scrollLeft = month.offsetLeft - months.offsetLeft;
  }, [year, chosen.to]);

  const choose = (day: number, isMore: boolean): void => {
    focus.value = day;
    onChoose(isMore ? rangeOf(anchor.current, day) : { from: day, to: day });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = stepOf(event, reachable, formats.firstOfWeek(), isRightToLeft(element.current));
    if (next === undefined) return;
    event.preventDefault();
    const day = Math.min(whole.to, Math.max(whole.from, next));
    focus.value = day;
    element.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
    if (event.shiftKey) choose(day, true);
  };
  const onPointer = (event: PointerEvent): void => {
    const day = dayAt(event);
    // A finger scrolls.
    if (day === undefined || event.pointerType !== 'mouse' || event.shiftKey || event.buttons !== 1) return;
    if (event.type === 'pointerdown') anchor.current = day;
    else if (dragged.value !== undefined || day !== anchor.current)
      dragged.value = rangeOf(anchor.current, day);
  };
  const onDrop = (): void => {
    const range = dragged.value;
    dragged.value = undefined;
    if (range !== undefined) onChoose(range);
  };
  return (
    <div
      class="year"
      ref={element}
      onKeyDown={onKeyDown}
      onPointerDown={onPointer}
      onPointerOver={onPointer}
      onPointerUp={onDrop}
      onPointerLeave={onDrop}
      onClick={(event) => {
        const day = dayAt(event);
        if (day !== undefined) choose(day, event.shiftKey);
      }}
    >
      {cells.map((days, month) => (
        <Month key={month} days={days} chosen={shown} reachable={reachable} today={today} />
      ))}
    </div>
  );
}

function dayAt({ target }: Event): number | undefined {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-day]') : null;
  return button === null ? undefined : Number(button.dataset['day']);
}

function isRightToLeft(element: Element | null): boolean {
  return element !== null && getComputedStyle(element).direction === 'rtl';
}
