/** Names of LevelDB's logs. */
export const LOG_NAME: RegExp = /^(\d+)\.log$/;

/**
 * The names that match a pattern, by their numbers, ascending: the newest file comes last.
 *
 * @param pattern Matches the names; its first group is the number.
 */
export function numbered(names: readonly string[], pattern: RegExp): ReadonlyMap<number, string> {
  const found = names.flatMap((name) => {
    const [, digits] = pattern.exec(name) ?? [];
    return digits === undefined ? [] : [[Number(digits), name] as const];
  });
  return new Map(found.sort(([a], [b]) => a - b));
}
