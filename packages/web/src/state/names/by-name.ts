import type { Name } from '../service/service.js';
import { fold, searchFor } from './search.js';

/** Key of a person: tags with the same name are one person. */
export function keyOf({ first, last }: Name): string {
  return `${last}\n${first}`;
}

interface Sortable {
  readonly key: string;
  readonly name: Name | null;
}

/** Compares by last name, then by first name, in the order of the language; tags without a name come first, by id. */
export function compareByName(language: string): (one: Sortable, other: Sortable) => number {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return (one, other) => {
    if (one.name === null || other.name === null) {
      return Number(one.name !== null) - Number(other.name !== null) || compare(one.key, other.key);
    }
    return compare(sortedBy(one.name), sortedBy(other.name)) || compare(one.name.first, other.name.first);
  };
}

/** A person without a last name is sorted by the first name. */
function sortedBy({ first, last }: Name): string {
  return last === '' ? first : last;
}

/** Whether a search finds a person: every word is in the name or in an id. */
export function isMeant(
  { name, ids }: { readonly name: Name | null; readonly ids: readonly string[] },
  search: string,
): boolean {
  return searchFor(search)(fold(`${name?.first ?? ''} ${name?.last ?? ''} ${ids.join(' ')}`));
}
