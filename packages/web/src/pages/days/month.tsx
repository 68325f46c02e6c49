import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { placeInWeek, type DayRange } from '../../state/days/days.js';

export interface DayCell {
  readonly day: number;
  readonly level: number;
  /** Text for a day: the date, and the number of people. */
  readonly label: string;
}

/** A sheet of the calendar: a button for each day. */
export function Month({
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
