import type { JsonCalls } from './json-calls.js';

/** How much is kept of a tag, or was. */
export interface ErasedTag {
  readonly id: string;
  readonly hasName: boolean;
  readonly days: number;
  readonly scans: number;
  readonly provisional: number;
  readonly changes: number;
}

export interface ErasureReport {
  readonly isDryRun: boolean;
  readonly tags: readonly ErasedTag[];
  /** Backups that still tell of one of the tags. */
  readonly backupsWithIt: readonly string[];
  /** Folders in the store from before a repair, which may do so too. */
  readonly formerFiles?: readonly string[];
  /** Whether no file of the store has a byte of it left; if not, that happens later. */
  readonly isScrubbed?: boolean;
}

/** What is left of somebody who was erased: enough to refuse what comes of them later. */
export interface KeptErasure {
  readonly digest: string;
  readonly until: number;
  readonly expiresAt: number;
}

/** What is older than the days that are kept. */
export interface RetentionReport {
  /** Such as `24months`; `null` if everything is kept. */
  readonly keep: string | null;
  readonly firstKept: number | null;
  readonly days: readonly { readonly day: number; readonly entries: number }[];
  readonly backups: readonly string[];
  /** Why nothing goes by itself. */
  readonly doubt?: 'clock-not-trusted' | 'leap-in-time' | 'many-days' | null;
}

/** Where everything that is kept of a tag can be had, for a link. */
export function personDataUrl(calls: JsonCalls, id: string): string {
  return calls.url('api/person/data', { id });
}

/** Erases what is kept of tags, or says what would go. */
export function erase(calls: JsonCalls, ids: readonly string[], isDryRun: boolean): Promise<ErasureReport> {
  return calls.post('api/erasures', { ids, dryRun: isDryRun });
}

export function listErasures(calls: JsonCalls): Promise<readonly KeptErasure[]> {
  return calls.get('api/erasures');
}

/** What would go today, since it was kept long enough. */
export function previewRetention(calls: JsonCalls): Promise<RetentionReport> {
  return calls.get('api/retention');
}
