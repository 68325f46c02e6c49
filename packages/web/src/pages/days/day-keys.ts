import { placeInWeek, wholeMonth } from '../../state/days/days.js';

/** The day to which a key leads from another one; `undefined` for keys that lead nowhere. */
export function stepOf(
  { key, altKey, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>,
  day: number,
  firstOfWeek: number,
  isRightToLeft: boolean,
): number | undefined {
  if (altKey || ctrlKey || metaKey) return undefined;
  const forward = isRightToLeft ? -1 : 1;
  switch (key) {
    case 'ArrowRight':
      return day + forward;
    case 'ArrowLeft':
      return day - forward;
    case 'ArrowDown':
      return day + 7;
    case 'ArrowUp':
      return day - 7;
    case 'Home':
      return day - placeInWeek(day, firstOfWeek);
    case 'End':
      return day + 6 - placeInWeek(day, firstOfWeek);
    case 'PageUp':
      return inMonth(day, -1);
    case 'PageDown':
      return inMonth(day, 1);
    default:
      return undefined;
  }
}

/** The same date of another month, or the last day of that month if it is shorter. */
function inMonth(day: number, later: number): number {
  const { from, to } = wholeMonth(day, later);
  return Math.min(to, from + day - wholeMonth(day).from);
}
