import { keyOf } from '../names/by-name.js';
import type { Entry, Name } from '../service/service.js';

/** Who is here today: a person with all tags of the name, or one tag without a name. */
export interface Person {
  /** Unique key of the person. */
  readonly key: string;
  readonly name: Name | null;
  readonly ids: readonly string[];
  /** Seconds since 1970; `null` as long as the time is not known. */
  readonly first: number | null;
  readonly last: number | null;
  readonly count: number;
  /** Reader of the last tap, if this page has seen the tap. */
  readonly reader: string | undefined;
}

/** One tag of today. */
export interface TagOfToday extends Omit<Entry, 'first' | 'last'> {
  readonly first: number | null;
  readonly last: number | null;
  readonly reader: string | undefined;
}

/** Groups tags with the same name to one person. */
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
