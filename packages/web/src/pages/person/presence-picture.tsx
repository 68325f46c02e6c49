import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { wholeMonth, type DayRange } from '../../state/days/days.js';
import { pictureOf } from '../../state/days/picture-of.js';
import type { PresenceOfDay } from '../../state/days/table-of.js';

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
  const { texts, formats } = usePage();
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
        aria-label={texts.person.picture}
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
      <figcaption class="quiet">{texts.person.picture}</figcaption>
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
