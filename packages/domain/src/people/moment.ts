import { TallybookError } from '../errors.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { Calendar } from '../time/calendar.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { Day } from '../values/day.js';
import type { Stamped } from '../values/people/stamped.js';
import { presentEntry, type Timeline } from '../values/people/timeline.js';
import { compareStamps, type Stamp } from '../values/stamp.js';
import { BEGINNING, type Timestamp } from '../values/timestamp.js';
import { conflict } from './people-errors.js';

/** When persons and tags change: the second, the day, and the stamps. The time is asked for only where it is needed. */
export class Moment {
  readonly #people: Pick<PeopleStore, 'stampAfter'>;
  readonly #timekeeper: Timekeeper;
  readonly #calendar: Calendar;

  constructor({
    people,
    timekeeper,
    calendar,
  }: {
    readonly people: Pick<PeopleStore, 'stampAfter'>;
    readonly timekeeper: Timekeeper;
    readonly calendar: Calendar;
  }) {
    this.#people = people;
    this.#timekeeper = timekeeper;
    this.#calendar = calendar;
  }

  /** @throws {TallybookError} `CLOCK_NOT_TRUSTED`. */
  now(): Timestamp {
    const trust = this.#timekeeper.trust();
    if (trust.isTrusted) return this.#timekeeper.now();
    const message = `the holder of a tag cannot change while the clock may be wrong (${trust.doubt}): set the time first`;
    throw new TallybookError('CLOCK_NOT_TRUSTED', message, { details: { doubt: trust.doubt } });
  }

  today(): Day {
    return this.#calendar.dayOf(this.now());
  }

  /** The wanted second, or now. */
  since(since: Timestamp | undefined, ahead = 0): Timestamp {
    if (since === BEGINNING) return since;
    const now = this.now();
    if (since === undefined) return now;
    if (since > now + ahead) throw conflict('the second is in the future');
    return since;
  }

  /** The first second since which every second up to now is of today; after the present entry, if there is time for that. */
  fromToday(timeline: Timeline): Timestamp {
    const now = this.now();
    const start = this.#calendar.startOf(now);
    const present = presentEntry(timeline)?.since ?? BEGINNING;
    return Math.min(Math.max(start, present + 1), now) as Timestamp;
  }

  stampAfter(before: Stamp | undefined): Stamp {
    return this.#people.stampAfter(before);
  }

  /** A value with a later stamp than all of these. */
  stamped<T>(value: T | undefined, ...before: readonly (Stamp | undefined)[]): Stamped<T> {
    return {
      value,
      stamp: this.stampAfter(
        before
          .flatMap((stamp) => stamp ?? [])
          .sort(compareStamps)
          .at(-1),
      ),
    };
  }
}
