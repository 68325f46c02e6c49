import type { Random } from '../random.js';

/** An event at a reader at a second of the day. */
export interface Happening {
  readonly second: number;
  readonly kind: 'tap' | 'rest' | 'noise' | 'unplug' | 'plug';
  readonly reader: number;
  /** Number of the person; unused if nobody taps. */
  readonly person: number;
}

const HOUR = 3_600;
const READER_FAILS = 0.15;

/** The events of one day, in order: most people come and tap several times, and sometimes a reader fails. */
export function planDay(random: Random, people: number, readers: number): readonly Happening[] {
  const happenings: Happening[] = [];
  const add = (kind: Happening['kind'], second: number, reader: number, person = 0): void => {
    happenings.push({ kind, second, reader, person });
  };
  for (let person = 0; person < people; person++) {
    if (random.chance(0.15)) continue;
    for (let taps = random.between(2, 8); taps > 0; taps--) {
      const second = random.between(6 * HOUR, 20 * HOUR);
      add(random.chance(0.1) ? 'rest' : 'tap', second, random.between(0, readers - 1), person);
    }
  }
  for (let reader = 0; reader < readers; reader++) {
    if (random.chance(0.3)) add('noise', random.between(0, 23 * HOUR), reader);
    if (!random.chance(READER_FAILS)) continue;
    const second = random.between(6 * HOUR, 18 * HOUR);
    add('unplug', second, reader);
    add('plug', second + random.between(60, 2 * HOUR), reader);
  }
  return happenings.sort((one, other) => one.second - other.second);
}
