/** Lets other work run; called now and then during long work. */
export type Pause = () => Promise<void>;

/** Items sorted or merged between two pauses: about two milliseconds of work. */
const ITEMS_OF_TURN = 2_000;

/**
 * Sorts stably with pauses. Without them, 100,000 entries would block for a tenth of a second, and 100,000 names for half a
 * second.
 */
export async function sortInTurns<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pause: Pause,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += ITEMS_OF_TURN) {
    if (start > 0) await pause();
    runs.push(items.slice(start, start + ITEMS_OF_TURN).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let n = 0; n < runs.length; n += 2)
      merged.push(await merge(runs[n] ?? [], runs[n + 1] ?? [], compare, pause));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Passes the items to `take`, with pauses. It is for calls that last one or two microseconds each. */
export async function eachInTurns<T>(
  items: Iterable<T>,
  take: (item: T) => void,
  pause: Pause,
): Promise<void> {
  let taken = 0;
  for (const item of items) {
    take(item);
    if (++taken % ITEMS_OF_TURN === 0) await pause();
  }
}

/** Rows between two pauses: about two milliseconds of work. */
const ROWS_OF_TURN = 200;

/** Maps items with pauses. It is for calls that last some ten microseconds each. */
export async function mapInTurns<T, R>(
  items: readonly T[],
  map: (item: T) => R,
  pause: Pause,
): Promise<readonly R[]> {
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item));
    if (mapped.length % ROWS_OF_TURN === 0) await pause();
  }
  return mapped;
}

async function merge<T>(left: T[], right: T[], compare: (a: T, b: T) => number, pause: Pause): Promise<T[]> {
  const merged: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    if (merged.length % ITEMS_OF_TURN === 0) await pause();
    const [a, b] = [left[l] as T, right[r] as T];
    if (compare(a, b) <= 0) {
      merged.push(a);
      l++;
    } else {
      merged.push(b);
      r++;
    }
  }
  return merged.concat(left.slice(l), right.slice(r));
}

/** How long work goes on before other work has its turn, in milliseconds. */
const TURN_MS = 10;

/** Lets other work run now and then during long work. The pieces of the work may take any time. */
export class Turns {
  readonly #pause: Pause;
  readonly #monotonicMs: () => number;
  #since: number;

  constructor(pause: Pause, monotonicMs: () => number) {
    this.#pause = pause;
    this.#monotonicMs = monotonicMs;
    this.#since = monotonicMs();
  }

  /** Whether other work should have its turn. */
  get isOver(): boolean {
    return this.#monotonicMs() - this.#since >= TURN_MS;
  }

  /** Lets other work run if this turn is over. */
  async next(): Promise<void> {
    if (!this.isOver) return;
    await this.#pause();
    this.#since = this.#monotonicMs();
  }
}
