import type {
  StationRecord,
  SyncAnswer,
  SyncChanges,
  SyncPosition,
  SyncSnapshotPart,
} from '@tallybook/domain/sync';

/** The centre to which stations send. `CentreSync` implements it. */
export interface SyncCentre {
  /**
   * Takes a batch of a station. Resolves when all of it is durable. Rejects with `INVALID_SYNC` if it is not a batch, and
   * with `SYNC_GAP` if changes before the batch are missing here.
   */
  push(station: string, batch: unknown): Promise<SyncAnswer>;
  /**
   * The changes after a place, as in `SyncTransport.changes`. If the signal is aborted, it resolves early with the
   * present changes.
   */
  changes(
    after: SyncPosition | undefined,
    waitMs: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<SyncChanges>;
  snapshot(): AsyncIterable<SyncSnapshotPart>;
  stations(): Promise<readonly StationRecord[]>;
  /** Removes a station from the list. Resolves with `false` if it was not known. */
  removeStation(station: string): Promise<boolean>;
}
