/** Names of LevelDB's logs. */
export const LOG_NAME: RegExp = /^(\d+)\.log$/;

/**
 * The names among others that LevelDB counts, by their numbers, ascending: the newest is the last.
 *
 * @param pattern The form of the names; its group is the number.
 */
export function numbered(names: readonly string[], pattern: RegExp): ReadonlyMap<number, string> {
  const found = names.flatMap((name) => {
    const [, digits] = pattern.exec(name) ?? [];
    return digits === undefined ? [] : [[Number(digits), name] as const];
  });
  return new Map(found.sort(([a], [b]) => a - b));
}
