/** A number of things, for people: `1 day`, `2 days`. A verb behind them goes with both words: `scan waits`, `scans wait`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
