import type {
  StationRecord,
  SyncAnswer,
  SyncChanges,
  SyncPosition,
  SyncSnapshotPart,
} from '@tallybook/domain';

/** The centre that stations send to. `CentreSync` is one. */
export interface SyncCentre {
  /**
   * Takes a batch of a station. Resolves when all of it is durable. Rejects with `INVALID_SYNC` if it is no batch, with `SYNC_GAP`
   * if it does not follow what is here.
   */
  push(station: string, batch: unknown): Promise<SyncAnswer>;
  /** The changes after a place, as in `SyncTransport.changes`. Resolves early, with those that there are, if the signal is aborted. */
  changes(
    after: SyncPosition | undefined,
    waitMs: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<SyncChanges>;
  snapshot(): AsyncIterable<SyncSnapshotPart>;
  stations(): Promise<readonly StationRecord[]>;
  /** Resolves with whether the station was known. */
  removeStation(station: string): Promise<boolean>;
}
