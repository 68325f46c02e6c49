/** A misspelt name has at most so many wrong letters, and fewer than half of them. */
const MOST_WRONG = 3;

/**
 * Asks for the name that is nearest to a misspelt one, ` (did you mean port?)`; empty if none is near.
 *
 * @param prefix What all names begin with, and is no part of their letters. Default: nothing.
 */
export function suggestName(given: string, names: readonly string[], prefix = ''): string {
  const letters = given.slice(prefix.length);
  const [nearest] = names
    .map((name) => ({ name, right: name.slice(prefix.length) }))
    .filter(({ right }) => Math.abs(right.length - letters.length) <= MOST_WRONG)
    .map(({ name, right }) => ({ name, wrong: countEdits(letters, right), length: right.length }))
    .filter(({ wrong, length }) => wrong <= MOST_WRONG && wrong * 2 < length)
    .sort((one, other) => one.wrong - other.wrong);
  return nearest === undefined ? '' : ` (did you mean ${nearest.name}?)`;
}

/** How many letters to add, remove, replace, or exchange with their neighbour until one text is the other. */
function countEdits(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let y = 1; y <= from.length; y++) {
    const next = [y];
    for (let x = 1; x <= to.length; x++) {
      const isSame = from[y - 1] === to[x - 1];
      const isExchanged = y > 1 && x > 1 && from[y - 1] === to[x - 2] && from[y - 2] === to[x - 1];
      next[x] = Math.min(
        (row[x] ?? 0) + 1,
        (next[x - 1] ?? 0) + 1,
        (row[x - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (before[x - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
