import {
  compareStamps,
  type Group,
  type Person,
  type PersonId,
  type Stamp,
  type TallyId,
  type Timeline,
} from '@tallybook/domain';
import type { Storage } from '../places/storage.js';

interface Write {
  readonly stamp: Stamp;
  readonly text: string;
}

/** Rows that a place has written. */
export interface WrittenPeople {
  readonly persons: readonly Person[];
  readonly timelines: readonly Timeline[];
  readonly groups: readonly Group[];
}

/** The text of a value that was taken away. */
const NOTHING = 'nothing';

const fields = ['name', 'number', 'from', 'until', 'guest', 'alias'] as const;

/**
 * Everything that was ever said of persons and tags at each place, as a list: a value of a person, a membership, or what happened to a tag in a
 * second. At the end all places have the latest of each, by the stamps.
 */
export class PeopleWrites {
  readonly #places = new Map<string, Map<string, Write>>();
  readonly #copies = new Map<string, ReadonlyMap<string, Write>>();

  /** Persons whose erasure was requested, and, by place, those whose erasure was acknowledged there. */
  readonly #erasing = new Set<string>();
  readonly #erased = new Map<string, ReadonlySet<string>>();
  readonly #erasedInCopies = new Map<string, ReadonlySet<string>>();
  /** All persons who ever held a tag. */
  readonly #holders = new Map<string, Set<string>>();

  erasing(persons: readonly PersonId[]): void {
    for (const id of persons) this.#erasing.add(id);
  }

  erased(place: string, persons: readonly PersonId[]): void {
    this.#erased.set(place, new Set([...(this.#erased.get(place) ?? []), ...persons]));
  }

  take(place: string, written: WrittenPeople): void {
    const here = this.#places.get(place) ?? new Map<string, Write>();
    this.#places.set(place, here);
    for (const [key, write] of writesOf(written)) {
      putLater(here, key, write);
      const holders = this.#holders.get(tagOf(key)) ?? new Set();
      this.#holders.set(tagOf(key), holders.add(holderOf(write)));
    }
  }

  copied(place: string): void {
    this.#copies.set(place, new Map(this.#places.get(place)));
    this.#erasedInCopies.set(place, this.#erased.get(place) ?? new Set());
  }

  restored(place: string): void {
    this.#places.set(place, new Map(this.#copies.get(place)));
    // An erasure may have been lost before anybody else knew of it.
    this.#erased.set(place, this.#erasedInCopies.get(place) ?? new Set());
  }

  /** The problems with persons and tags at one place. */
  *judge(place: string, { people, names }: Storage, centre: Storage): Generator<string> {
    const expected = new Map<string, Write>();
    for (const writes of this.#places.values()) {
      for (const [key, write] of writes) putLater(expected, key, write);
    }
    const [shown, atCentre] = [shownOf(people), shownOf(centre.people)];
    for (const key of new Set([...expected.keys(), ...shown.keys(), ...atCentre.keys()])) {
      const is = shown.get(key)?.text;
      const person = key.split(' of ')[1] ?? holderOf(shown.get(key));
      if (is !== undefined && [...this.#erased.values()].some((erased) => erased.has(person)))
        yield `${place}: ${key} is ${is}; they were erased`;
      if (this.#erasing.has(person)) continue;
      // An erasure takes the whole timeline of a tag that nobody else held.
      const isTouched = [...(this.#holders.get(tagOf(key)) ?? [])].some((id) => this.#erasing.has(id));
      const must = (isTouched ? atCentre : expected).get(key)?.text;
      if (is !== must) yield `${place}: ${key} is ${is}, but ${must} was said last`;
    }
    // The names that programs see follow from the last holders.
    for (const [tag, holder] of lastHolders(shown)) {
      const said = shown.get(`name of ${holder}`)?.text;
      const name = said === NOTHING ? undefined : said;
      const given = names.get(tag as TallyId);
      const text = given && JSON.stringify(given);
      if (text !== name) yield `${place}: the name of ${tag} is ${text}, but its holder is ${name}`;
    }
  }
}

function shownOf({ persons, timelines, groups }: Storage['people']): ReadonlyMap<string, Write> {
  return new Map(
    writesOf({
      persons: [...persons.values()],
      timelines: [...timelines.values()],
      groups: [...groups.values()],
    }),
  );
}

function tagOf(key: string): string {
  return key.includes(' since ') ? (key.split(' ')[0] ?? '') : '';
}

function holderOf(write: Write | undefined): string {
  return write?.text.split(' ')[0] ?? '';
}

/** Of equal stamps what names nobody counts, and else the greater text, everywhere. */
function putLater(all: Map<string, Write>, key: string, write: Write): void {
  const before = all.get(key);
  if (before === undefined || isLater(write, before)) all.set(key, write);
}

function isLater(one: Write, other: Write): boolean {
  const order = compareStamps(one.stamp, other.stamp);
  if (order !== 0) return order > 0;
  const [isNobody, wasNobody] = [one, other].map((write) => holderOf(write) === '');
  return isNobody === wasNobody ? one.text > other.text : isNobody === true;
}

function textOf(value: unknown): string {
  return value === undefined ? NOTHING : JSON.stringify(value);
}

function* writesOf({ persons, timelines, groups }: WrittenPeople): Generator<readonly [string, Write]> {
  for (const person of persons) {
    for (const field of fields) {
      const value = person[field];
      if (value !== undefined)
        yield [`${field} of ${person.id}`, { stamp: value.stamp, text: textOf(value.value) }];
    }
    for (const { group, since, until, stamp, isUndone } of person.memberships ?? [])
      yield [`${group} from ${since} of ${person.id}`, { stamp, text: JSON.stringify([until, isUndone]) }];
  }
  for (const { id, label, alias } of groups) {
    for (const [field, value] of Object.entries({ label, alias }))
      if (value !== undefined) yield [`${field} of ${id}`, { stamp: value.stamp, text: textOf(value.value) }];
  }
  for (const { tag, entries } of timelines) {
    for (const { since, holder = '', why, stamp, isUndone = false } of entries)
      yield [`${tag} since ${since}`, { stamp, text: `${holder} ${why} ${isUndone}` }];
  }
}

function lastHolders(writes: ReadonlyMap<string, Write>): ReadonlyMap<string, string> {
  const last = new Map<string, { readonly since: number; readonly holder: string }>();
  for (const [key, { text }] of writes) {
    const [tag = '', word, second] = key.split(' ');
    const since = Number(second);
    if (word !== 'since' || text.endsWith(' true') || since < (last.get(tag)?.since ?? 0)) continue;
    last.set(tag, { since, holder: text.split(' ')[0] ?? '' });
  }
  return new Map([...last].map(([tag, { holder }]) => [tag, holder]));
}
