import type {
  SyncAnswer,
  SyncBatch,
  SyncChanges,
  SyncPosition,
  SyncSnapshotPart,
} from '../../values/sync/sync.js';

/**
 * How a station reaches its centre.
 *
 * For implementors: each call is one attempt, and always ends: if the centre does not answer, a time-out of your own rejects it
 * with `UPSTREAM_UNAVAILABLE`. The centre may have taken a call that rejects. Answers come from outside: read them with
 * `parseSyncAnswer`, `parseSyncChanges` and `parseSnapshotPart`.
 *
 * All reject with `UPSTREAM_UNAVAILABLE` if the centre cannot be reached, gives up or does not answer as a centre does;
 * `NOT_SIGNED_IN` or `NOT_ALLOWED` if it does not take the token; and with the codes that it answers with, as far as they are
 * known here.
 */
export interface SyncTransport {
  /**
   * Sends a batch. Resolves when all of it is durable at the centre.
   *
   * Rejects with `SYNC_GAP`, and how far the centre got in `details.expected`, if the batch does not follow what it has; with
   * `INVALID_SYNC` if it is no batch.
   */
  push(batch: SyncBatch): Promise<SyncAnswer>;
  /**
   * The changes after a place, at most {@link SYNC_MAX_ITEMS}; or only the present place, at once, if none is given.
   *
   * Rejects with `SYNC_TOO_OLD` if the centre cannot tell any more, or does not know that place: then take a snapshot.
   *
   * @param waitMs If there are none, it waits so long for one, 0 to {@link SYNC_MAX_WAIT_MS}.
   */
  changes(after: SyncPosition | undefined, waitMs: number): Promise<SyncChanges>;
  /** All that the centre has to send. Rejects while it is read, also when it was cut short. */
  snapshot(): AsyncIterable<SyncSnapshotPart>;
  /** Ends the calls under way: they reject with `UPSTREAM_UNAVAILABLE`, soon. Later calls are not concerned. */
  abort(): void;
}
