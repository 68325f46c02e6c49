import type { Correction, Table, TablePerson } from '@tallybook/client';
import type { Person as Present } from './presence.js';
import type { DayRange } from './days.js';

/** A person, or a tag without a name, with their days in a range. */
export interface Presences {
  readonly person: TablePerson;
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
    for (const [key, { isOutside }] of Object.entries(days)) {
      const day = Number(key);
      if (isOutside !== true) counts.set(day, (counts.get(day) ?? 0) + 1);
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
        // Days on which the person was not in the chosen group do not count.
        .filter(([day, { isOutside }]) => isOutside !== true && Number(day) >= from && Number(day) <= to)
        .map(([day, { first, last, scans }]) => ({ day: Number(day), first, last, scans })),
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
  const timed = present.filter(({ first }) => first !== null);
  const presenceOf = new Map(timed.map((each) => [each.key, each]));
  if (today === undefined || today < from || today > to || presenceOf.size === 0) return table;
  const missing = new Set(presenceOf.values());
  const known = table.people.map((person) => {
    const here = presenceOf.get(person.person ?? `#${person.ids[0]}`);
    if (here === undefined) return person;
    missing.delete(here);
    return { ...person, days: { ...person.days, ...dayOf(today, here) } };
  });
  const others = Array.from(missing, (each) => ({
    person: each.key.startsWith('#') ? null : each.key,
    name: each.name,
    number: each.number,
    groups: each.groups,
    ids: each.ids,
    days: dayOf(today, each),
  }));
  const people = [...known, ...others].sort(
    (one, other) => Number(one.name === null) - Number(other.name === null),
  );
  const counts = new Map<string, number>();
  for (const { groups } of timed) for (const id of groups) counts.set(id, (counts.get(id) ?? 0) + 1);
  const groups = table.groups.map((group) => {
    const count = counts.get(group.id);
    return count === undefined ? group : { ...group, days: { ...group.days, [today]: count } };
  });
  return { ...table, days: [...new Set([...table.days, today])], groups, people };
}

function dayOf(day: number, { first, last, count }: Present): TablePerson['days'] {
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

/** A bar for each day on which a person was there, from the first tap to the last, in minutes since midnight. */
interface Picture {
  /** Whole hours between which all bars are; `to` is above 24 where days end after midnight. */
  readonly hours: { readonly from: number; readonly to: number };
  /** The path of an SVG: one unit to the right is a day, one unit down is a minute. */
  readonly path: string;
}

/** Minimum height of a bar in minutes, so that a single tap is visible. */
const LEAST = 12;
const DAY = 1_440;

/** @param wallClock As in `Formats`. */
export function pictureOf(
  days: readonly PresenceOfDay[],
  { from }: DayRange,
  wallClock: (at: number) => number,
): Picture {
  const bars = days.map(({ day, first, last }) => {
    const minuteOf = (at: number): number => Math.floor((wallClock(at) - day * 86_400) / 60);
    return { day, top: minuteOf(first), bottom: minuteOf(last) };
  });
  const tops = bars.map(({ top }) => top);
  const bottoms = bars.map(({ top, bottom }) => Math.max(bottom, top + LEAST));
  const hours = {
    from: Math.floor(Math.min(DAY, ...tops) / 60),
    to: Math.ceil(Math.max(...bottoms, 60) / 60),
  };
  const path = bars.map(({ day, top, bottom }) => {
    const height = Math.max(bottom - top, LEAST);
    return `M${day - from + 0.1} ${top}h.8v${height}h-.8z`;
  });
  return { hours, path: path.join('') };
}

/** The days on which a person was there, as the path of an SVG one unit high: one unit to the right is a day. */
export function stripOf(days: readonly PresenceOfDay[], { from }: DayRange): string {
  return days.map(({ day }) => `M${day - from} 0h.9v1h-.9z`).join('');
}

/** Corrections of one tag on one day. */
type CorrectionsOf = (day: number, ids: readonly string[]) => readonly Correction[];

/**
 * Corrections that affect the record: the latest one of each second, without rejected ones.
 *
 * @returns A function that finds them by day and tags, ordered by time.
 */
export function correctionsOf(all: readonly Correction[]): CorrectionsOf {
  const latest = new Map<string, Correction>();
  for (const correction of all) {
    const { day, id, at, state, number } = correction;
    const key = `${day} ${id} ${at} ${state === 'pending'}`;
    if (state !== 'rejected' && number >= (latest.get(key)?.number ?? 0)) latest.set(key, correction);
  }
  const byEntry = new Map<string, Correction[]>();
  for (const correction of latest.values()) {
    const key = `${correction.day} ${correction.id}`;
    byEntry.set(key, [...(byEntry.get(key) ?? []), correction]);
  }
  return (day, ids) =>
    ids.flatMap((id) => byEntry.get(`${day} ${id}`) ?? []).sort((one, other) => one.at - other.at);
}

/** A scan of a tag, and whether it counts. */
export interface KnownScan {
  readonly id: string;
  readonly at: number;
  readonly counts: boolean;
  /** Whether a correction of the scan waits for approval. */
  readonly isPending: boolean;
}

/** Every recorded or added scan, by time, with the effect of corrections. */
export function scansOf(
  taken: readonly { readonly id: string; readonly at: number }[],
  corrections: readonly Correction[],
): readonly KnownScan[] {
  const scans = new Map<string, KnownScan>();
  for (const { id, at } of taken) scans.set(`${id} ${at}`, { id, at, counts: true, isPending: false });
  for (const { id, at, action, state } of corrections) {
    const key = `${id} ${at}`;
    const before = scans.get(key) ?? { id, at, counts: false, isPending: false };
    if (state === 'approved') scans.set(key, { ...before, counts: action === 'add' });
    else if (state === 'pending') scans.set(key, { ...before, isPending: true });
  }
  return [...scans.values()].sort((one, other) => one.at - other.at);
}
