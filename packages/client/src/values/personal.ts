import type { TallyId } from './names.js';

/** How much is, or was, kept of a tag. */
export interface ErasedTag {
  readonly id: TallyId;
  readonly hasName: boolean;
  /** Days with an entry. */
  readonly days: number;
  /** Scans that are known one by one. */
  readonly scans: number;
  readonly provisional: number;
  /** Also refused ones. */
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
   * Backups in the folder of the service that still hold one of the tags, or could not be searched, as the text after the
   * name says.
   */
  readonly backupsWithIt: readonly string[];
  /** Folders in the store with files from before a repair, which may do so. */
  readonly formerFiles: readonly string[];
  /** Whether the files of the store have no byte of it left. If not, the service does it later. */
  readonly isScrubbed: boolean;
}

/**
 * A person who was erased. The digest is the first half of HMAC-SHA-256 of the id, in upper-case hex, under the key: who keeps
 * ids elsewhere finds out with it which of them to erase too.
 */
export interface Erasure {
  /** 16 bytes in hex. */
  readonly key: string;
  /** 16 bytes in hex. */
  readonly digest: string;
  /** Seconds since 1970: scans up to then are refused. */
  readonly until: number;
  /** Seconds since 1970: when this is forgotten too. */
  readonly expiresAt: number;
  /** `removed`: its rows are gone, and its bytes not yet. */
  readonly state: 'begun' | 'removed' | 'done';
}

/** Days and backups older than the limit. */
export interface Retention {
  readonly dryRun: boolean;
  /** As `--keep` says; `null`: everything is kept. */
  readonly keep: string | null;
  /** Days before this one go. */
  readonly firstKept: number | null;
  readonly days: readonly { readonly day: number; readonly entries: number }[];
  /** Older backups, which go too. */
  readonly backups: readonly string[];
  /** Why nothing goes by itself. */
  readonly doubt: 'clock-not-trusted' | 'leap-in-time' | 'many-days' | null;
}
