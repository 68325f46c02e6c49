import { keyOf } from './by-name.js';
import { fold } from './search.js';
import type { Name } from '../service/service.js';
import type { NameChange } from './names.js';

/** A person with a name, and all tags of that name. */
export interface Holder {
  /** Key of the name. */
  readonly key: string;
  readonly name: Name;
  readonly ids: readonly string[];
  /** Name and ids, for a search. */
  readonly folded: string;
}

/** Puts tags of the same name together. */
export function holdersOf(names: ReadonlyMap<string, Name>): readonly Holder[] {
  const holders = new Map<string, { readonly key: string; readonly name: Name; readonly ids: string[] }>();
  for (const [id, name] of names) {
    const key = keyOf(name);
    const holder = holders.get(key);
    if (holder === undefined) holders.set(key, { key, name, ids: [id] });
    else holder.ids.push(id);
  }
  return Array.from(holders.values(), ({ key, name, ids }) => ({
    key,
    name,
    ids: ids.sort(),
    folded: fold(`${name.first} ${name.last} ${ids.join(' ')}`),
  }));
}

/** The changes after which a person has this name and these tags. Tags of other people become tags of this person. */
export function changesTo(
  names: ReadonlyMap<string, Name>,
  before: Holder | undefined,
  name: Name,
  ids: readonly string[],
): readonly NameChange[] {
  const given = ids
    .map((id) => ({ id, before: names.get(id) ?? null, after: name }))
    .filter(({ before: held }) => held === null || keyOf(held) !== keyOf(name));
  const taken = (before?.ids ?? [])
    .filter((id) => !ids.includes(id))
    .map((id) => ({ id, before: before?.name ?? null, after: null }));
  return [...given, ...taken];
}

/** Number of tags of a name. */
export function countTags(names: ReadonlyMap<string, Name>, name: Name): number {
  let count = 0;
  for (const each of names.values()) if (each.first === name.first && each.last === name.last) count++;
  return count;
}
