import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { rangeOf, wholeMonth, wholeYear, type DayRange } from '../../state/days/days.js';
import { stepOf } from './day-keys.js';
import { Month, type DayCell } from './month.js';
import { levelOf } from '../../state/days/table-of.js';

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
