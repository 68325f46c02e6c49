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
