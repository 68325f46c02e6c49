import {
  parseSyncBatch,
  TallybookError,
  toTimestamp,
  type StationRecord,
  type SyncAnswer,
  type SyncChanges,
  type SyncPosition,
  type SyncSnapshotPart,
} from '@tallybook/domain';
import type { SyncCentre } from '../src/index.js';

const now = toTimestamp(1_763_700_000);

/** A centre that does what a test says. */
export class ScriptedCentre implements SyncCentre {
  readonly pushed: (readonly [station: string, batch: unknown])[] = [];
  readonly asked: (readonly [after: SyncPosition | undefined, waitMs: number])[] = [];
  readonly known: StationRecord[] = [];
  parts: readonly SyncSnapshotPart[] = [
    { kind: 'head', origin: 'centre', cursor: 7, now },
    { kind: 'end', items: 0 },
  ];
  /** What a push is refused with. */
  failure: TallybookError | undefined;
  /** Whether it waits for changes until nobody wants them any more. */
  isQuiet = false;
  /** Requests for changes that wait. */
  waiting = 0;
  /** Snapshots whose reading has begun and not ended. */
  reading = 0;

  async push(station: string, batch: unknown): Promise<SyncAnswer> {
    if (this.failure !== undefined) throw this.failure;
    this.pushed.push([station, batch]);
    const { run, through } = parseSyncBatch(batch);
    return { run, acknowledged: through, refused: [], superseded: [], erasures: [], now };
  }

  async changes(
    after: SyncPosition | undefined,
    waitMs: number,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<SyncChanges> {
    this.asked.push([after, waitMs]);
    if (after !== undefined && after.origin !== 'centre') {
      throw new TallybookError('SYNC_TOO_OLD', 'this is another centre; take a snapshot');
    }
    if (this.isQuiet && waitMs > 0) {
      this.waiting++;
      await new Promise<void>((resolve) => {
        if (signal?.aborted === true) resolve();
        signal?.addEventListener('abort', () => resolve());
      });
      this.waiting--;
    }
    return { origin: 'centre', cursor: 7, items: [], now };
  }

  async *snapshot(): AsyncGenerator<SyncSnapshotPart, void, undefined> {
    this.reading++;
    try {
      yield* this.parts;
    } finally {
      this.reading--;
    }
  }

  stations(): Promise<readonly StationRecord[]> {
    return Promise.resolve(this.known);
  }

  removeStation(station: string): Promise<boolean> {
    const index = this.known.findIndex(({ name }) => name === station);
    if (index >= 0) this.known.splice(index, 1);
    return Promise.resolve(index >= 0);
  }
}
