/** A misspelt name has at most this many wrong letters, and fewer than half of its letters are wrong. */
const MOST_WRONG = 3;

/**
 * A question with the name that is most similar to a misspelt one, ` (did you mean port?)`; empty if no name is
 * similar.
 *
 * @param prefix Common prefix of all names, which is not compared. Default: none.
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

/** Number of steps that turn one text into the other: add, remove or replace a letter, or exchange two neighbours. */
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
