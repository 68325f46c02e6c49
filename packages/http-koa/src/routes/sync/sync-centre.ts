import type {
  StationRecord,
  SyncAnswer,
  SyncChanges,
  SyncPosition,
  SyncSnapshotPart,
} from '@tallybook/domain';

/** What stations send to. `CentreSync` is one. */
export interface SyncCentre {
  /**
   * Takes a batch of a station. Resolves when all of it is durable. Rejects with `INVALID_SYNC` if it is no batch, with `SYNC_GAP`
   * if it does not follow what is here.
   */
  push(station: string, batch: unknown): Promise<SyncAnswer>;
  /** What followed a place, as `SyncTransport.changes` has it. Resolves early, with what there is, if the signal is aborted. */
  changes(
    after: SyncPosition | undefined,
    waitMs: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<SyncChanges>;
  snapshot(): AsyncIterable<SyncSnapshotPart>;
  stations(): Promise<readonly StationRecord[]>;
  /** Resolves with whether it was known. */
  removeStation(station: string): Promise<boolean>;
}
