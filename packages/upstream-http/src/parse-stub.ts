import type { SyncAnswer, SyncChanges, SyncSnapshotPart } from '@tallybook/domain';
export const parseSyncAnswer = (value: unknown): SyncAnswer => value as SyncAnswer;
export const parseSyncChanges = (value: unknown): SyncChanges => value as SyncChanges;
export const parseSnapshotPart = (value: unknown): SyncSnapshotPart => value as SyncSnapshotPart;
