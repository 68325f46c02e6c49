import type { Name } from '@tallybook/client';
import { lazily } from '../../lazily.js';

const ASCII = /^[\0-\x7f]*$/;

/** Removes accents and case, which people leave out when they type quickly. */
export function fold(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  // Upper case, because it turns ß into SS.
  return plain.toUpperCase();
}

/** Makes a function that says whether every word of a search is in a folded text. */
export function searchFor(search: string): (folded: string) => boolean {
  const words = fold(search).split(/\s/);
  return (folded) => words.every((word) => folded.includes(word));
}

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
  const collator = lazily(() => new Intl.Collator(language, { numeric: true }));
  return (one, other) => {
    const { compare } = collator();
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
