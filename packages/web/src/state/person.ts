import { fold, searchFor } from './search.js';
import type { Entry, Name } from './service.js';

/** Somebody who is here today: a person with all tags of that name, or one tag without a name. */
export interface Person {
  /** The same for the same person, and for nobody else. */
  readonly key: string;
  readonly name: Name | null;
  readonly ids: readonly string[];
  /** Seconds since 1970; `null` as long as the time is not known. */
  readonly first: number | null;
  readonly last: number | null;
  readonly count: number;
  /** Of the last tap, if this page has seen it. */
  readonly reader: string | undefined;
}

/** One tag of today. */
export interface TagOfToday extends Omit<Entry, 'first' | 'last'> {
  readonly first: number | null;
  readonly last: number | null;
  readonly reader: string | undefined;
}

/** Puts tags of the same name together. */
export function personsOf(tags: Iterable<TagOfToday>, names: ReadonlyMap<string, Name>): readonly Person[] {
  const persons = new Map<string, Person>();
  for (const tag of tags) {
    const name = names.get(tag.id) ?? null;
    const key = name === null ? `#${tag.id}` : keyOf(name);
    const before = persons.get(key);
    const { id, ...rest } = tag;
    persons.set(key, before === undefined ? { key, name, ids: [id], ...rest } : join(before, tag));
  }
  return [...persons.values()];
}

/** The same for the same name: tags of one name are those of one person. */
export function keyOf({ first, last }: Name): string {
  return `${last}\n${first}`;
}

function join(person: Person, tag: TagOfToday): Person {
  const isLater = (tag.last ?? 0) > (person.last ?? 0);
  return {
    ...person,
    ids: [...person.ids, tag.id].sort(),
    first: earlier(person.first, tag.first),
    last: isLater ? tag.last : person.last,
    count: person.count + tag.count,
    reader: isLater ? tag.reader : person.reader,
  };
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

type Sortable = Pick<Person, 'key' | 'name'>;

/** By last name, then by first name, as the language sorts; tags without a name first, by id. */
export function compareByName(language: string): (one: Sortable, other: Sortable) => number {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return (one, other) => {
    if (one.name === null || other.name === null) {
      return Number(one.name !== null) - Number(other.name !== null) || compare(one.key, other.key);
    }
    return compare(sortedBy(one.name), sortedBy(other.name)) || compare(one.name.first, other.name.first);
  };
}

/** Who has no last name is sorted by the first. */
function sortedBy({ first, last }: Name): string {
  return last === '' ? first : last;
}

/** Whether a search means somebody: every word is in the name or in an id. */
export function isMeant({ name, ids }: Pick<Person, 'name' | 'ids'>, search: string): boolean {
  return searchFor(search)(fold(`${name?.first ?? ''} ${name?.last ?? ''} ${ids.join(' ')}`));
}
