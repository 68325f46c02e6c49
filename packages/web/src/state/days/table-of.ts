import type { Person, Table } from '@tallybook/client';
import type { Person as Present } from '../presence/person.js';
import type { DayRange } from './days.js';

/** A person, or a tag without a name, with their days in a range. */
export interface Presences {
  readonly person: Person;
  /** Ascending. */
  readonly days: readonly PresenceOfDay[];
}

export interface PresenceOfDay {
  readonly day: number;
  /** Seconds since 1970. */
  readonly first: number;
  readonly last: number;
  readonly scans: number;
}

/** Number of people who were there, by day. */
export function countsOf({ people }: Table): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { days } of people) {
    for (const key of Object.keys(days)) {
      const day = Number(key);
      counts.set(day, (counts.get(day) ?? 0) + 1);
    }
  }
  return counts;
}

/** The people who were there in a range, in the order of the table. */
export function presencesOf({ people }: Table, { from, to }: DayRange): readonly Presences[] {
  return people
    .map((person) => ({
      person,
      // Objects give keys that are whole numbers in ascending order.
      days: Object.entries(person.days)
        .map(([day, { first, last, scans }]) => ({ day: Number(day), first, last, scans }))
        .filter(({ day }) => day >= from && day <= to),
    }))
    .filter(({ days }) => days.length > 0);
}

/**
 * The table of a range, completed with the people who are here today, from taps, without reading it again. A person without a day
 * in the table yet comes last among the people with a name, or among the tags without one.
 */
export function withToday(
  table: Table,
  { from, to }: DayRange,
  today: number | undefined,
  present: readonly Present[],
): Table {
  const presenceOf = new Map<string, Present>();
  for (const each of present) if (each.first !== null) for (const id of each.ids) presenceOf.set(id, each);
  if (today === undefined || today < from || today > to || presenceOf.size === 0) return table;
  const missing = new Set(presenceOf.values());
  const known = table.people.map((person) => {
    const id = person.ids.find((each) => presenceOf.has(each));
    const here = id === undefined ? undefined : presenceOf.get(id);
    if (here === undefined) return person;
    missing.delete(here);
    return { ...person, days: { ...person.days, ...dayOf(today, here) } };
  });
  const others = Array.from(missing, (each) => ({
    name: each.name,
    ids: each.ids,
    days: dayOf(today, each),
  }));
  const people = [...known, ...others].sort(
    (one, other) => Number(one.name === null) - Number(other.name === null),
  );
  return { days: [...new Set([...table.days, today])], people };
}

function dayOf(day: number, { first, last, count }: Present): Person['days'] {
  return { [day]: { first: first ?? 0, last: last ?? 0, scans: count } };
}

const LEVELS = 4;

/** Darkness of a day in the calendar, from 0 for nobody to {@link LEVELS} for the day with the most people. */
export function levelOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(1, Math.ceil((LEVELS * count) / most));
}

/** The middle value; of two middle values, the lower one. */
export function median(values: readonly number[]): number | undefined {
  return [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)];
}
