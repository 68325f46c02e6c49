/** Writes a number with its noun, for people: `1 day`, `2 days`. The noun may bring its verb: `scan waits`, `scans wait`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
