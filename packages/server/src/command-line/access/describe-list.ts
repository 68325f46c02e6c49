/** Rows under their heads. Columns are as wide as their longest text. */
export function describeTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const widths = heads.map((head, n) =>
    Math.max(...[head, ...rows.map((row) => row[n] ?? '')].map(({ length }) => length)),
  );
  return [heads, ...rows].map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A time as day and time in UTC. */
export function describeMoment(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
