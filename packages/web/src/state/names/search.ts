const ASCII = /^[\0-\x7f]*$/;

/** Without accents and case: who types quickly leaves them out. */
export function fold(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  // Upper case, in which ß is SS.
  return plain.toUpperCase();
}

/** Whether every word of a search is in a text that is folded already. */
export function searchFor(search: string): (folded: string) => boolean {
  const words = fold(search).split(/\s/);
  return (folded) => words.every((word) => folded.includes(word));
}
