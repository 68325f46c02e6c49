import type {
  LeftOut,
  ReadSnapshotPart,
  SyncAnswer,
  SyncBatch,
  SyncChanges,
  SyncPosition,
} from '../values/sync.js';

/**
 * Connection of a station to its centre.
 *
 * For implementors: each call is one attempt, and always ends: if the centre does not answer, your own time-out rejects it with
 * `UPSTREAM_UNAVAILABLE`. Even if a call rejects, the centre may have taken its data. Answers come from outside: read them with
 * `parseSyncAnswer`, `parseSyncChanges` and `parseSnapshotPart`.
 *
 * All calls reject with `UPSTREAM_UNAVAILABLE` if the centre cannot be reached, gives up, or does not answer like a centre;
 * with `NOT_SIGNED_IN` or `NOT_ALLOWED` if it refuses the token; and with the codes in its answers, as far as this version
 * knows them.
 */
export interface SyncTransport {
  /**
   * Sends a batch. Resolves when all of it is durable at the centre.
   *
   * Rejects with `SYNC_GAP` if the batch does not follow the changes that the centre has; `details.expected` is the last
   * cursor that it has. Rejects with `INVALID_SYNC` if the batch is not valid.
   */
  push(batch: SyncBatch): Promise<SyncAnswer & LeftOut>;
  /**
   * The changes after a place, at most {@link SYNC_MAX_ITEMS}; or only the present place, at once, if none is given.
   *
   * Rejects with `SYNC_TOO_OLD` if the centre no longer has these changes, or does not know the place: then take a
   * snapshot.
   *
   * @param waitMs How long the centre waits for a change if there is none, 0 to {@link SYNC_MAX_WAIT_MS}.
   */
  changes(after: SyncPosition | undefined, waitMs: number): Promise<SyncChanges & LeftOut>;
  /** The snapshot of the centre. It rejects during reading, also if it was cut short. */
  snapshot(): AsyncIterable<ReadSnapshotPart>;
  /** Ends the calls under way: they soon reject with `UPSTREAM_UNAVAILABLE`. Later calls work as usual. */
  abort(): void;
}
