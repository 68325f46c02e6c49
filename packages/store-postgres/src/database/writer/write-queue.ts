import type { Batch } from './batch.js';

/** Most rows that a transaction changes, unless one item alone changes more. */
export const ROWS_MAX = 1_000;

/** An item that is waiting to be written. */
export interface QueuedWrite {
  readonly batch: Batch<unknown, unknown>;
  readonly item: unknown;
  /** About how many rows it changes. */
  readonly rows: number;
  readonly key: string | undefined;
  /** Whether it must be written alone, because it failed together with others. */
  isAlone: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Waiting items. Decides which of them share a transaction. */
export class WriteQueue {
  readonly #waiting: QueuedWrite[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  add(write: QueuedWrite): void {
    this.#waiting.push(write);
  }

  /** Takes the items of the next transaction, in the order in which it writes them. */
  takeGroup(): readonly QueuedWrite[] {
    let rows = 0;
    const end = this.#waiting.findIndex((write, index) => {
      rows += write.rows;
      return index > 0 && rows > ROWS_MAX;
    });
    const group = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
    const isApart = ({ batch }: QueuedWrite): boolean => batch.isApart === true;
    return [...group.filter((write) => !isApart(write)), ...group.filter(isApart)];
  }
}

/** Items of a group that are written together: successive items of the same kind. */
export function runsOf(group: readonly QueuedWrite[]): readonly (readonly QueuedWrite[])[] {
  const runs: QueuedWrite[][] = [];
  for (const write of group) {
    const last = runs.at(-1)?.[0];
    if (last?.batch === write.batch && !last.isAlone && !write.isAlone) {
      runs.at(-1)?.push(write);
    } else {
      runs.push([write]);
    }
  }
  return runs;
}
