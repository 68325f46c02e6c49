import type { TallyId } from './names.js';

/** Counts of the stored or erased data of a tag. */
export interface ErasedTag {
  readonly id: TallyId;
  readonly hasName: boolean;
  /** Days with an entry. */
  readonly days: number;
  /** Single known scans. */
  readonly scans: number;
  readonly provisional: number;
  /** Including rejected ones. */
  readonly corrections: number;
  /** Changes in the journal. */
  readonly changes: number;
}

/** Result of an erasure, or of its dry run. */
export interface ErasureReport {
  readonly dryRun: boolean;
  readonly tags: readonly ErasedTag[];
  /** Seconds since 1970: scans up to then are refused. */
  readonly until: number;
  /**
   * Backups in the folder of the service that still hold one of the tags, or could not be searched; a text after the name
   * says which.
   */
  readonly backupsWithIt: readonly string[];
  /** Folders in the store with files from before a repair, which may hold the tags too. */
  readonly formerFiles: readonly string[];
  /**
   * Whether no byte of the erased data is left in the files of the store. If bytes are left, the service removes them
   * later.
   */
  readonly isScrubbed: boolean;
}

/**
 * The erasure of a person. The digest is the first half of HMAC-SHA-256 of the id, in upper-case hex, under the key. With it,
 * programs that keep ids elsewhere find the ids to erase too.
 */
export interface Erasure {
  /** 16 bytes in hex. */
  readonly key: string;
  /** 16 bytes in hex. */
  readonly digest: string;
  /** Seconds since 1970: scans up to then are refused. */
  readonly until: number;
  /** Seconds since 1970: time at which the erasure itself is forgotten. */
  readonly expiresAt: number;
  /** `removed`: the rows are gone, but their bytes are not yet. */
  readonly state: 'begun' | 'removed' | 'done';
}

/** Days and backups older than the limit. */
export interface Retention {
  readonly dryRun: boolean;
  /** The setting `--keep`; `null`: everything is kept. */
  readonly keep: string | null;
  /** Days before this one are removed. */
  readonly firstKept: number | null;
  readonly days: readonly { readonly day: number; readonly entries: number }[];
  /** Older backups, which are removed too. */
  readonly backups: readonly string[];
  /** Why nothing is removed without a confirmation; `null` if there is no doubt. */
  readonly doubt: 'clock-not-trusted' | 'leap-in-time' | 'many-days' | null;
}
