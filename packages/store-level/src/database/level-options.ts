import type { Clock, JournalLimits, TallybookError } from '@tallybook/domain';
import type { RepairReport } from '../repair/repair-store.js';

/** A message of a directory about its state, when it is opened or later. */
export type StoreNotice =
  /** There was no store, so a new, empty one was made. If you expected a store here, a disk may not be mounted. */
  | { readonly kind: 'created'; readonly path: string }
  /** The store is damaged and is being repaired, as `repairsDamage` asks for. A large one takes a minute. */
  | { readonly kind: 'repairing'; readonly path: string; readonly reason: string }
  /** The store was damaged and was repaired, as `repairsDamage` asks for. */
  | { readonly kind: 'repaired'; readonly path: string; readonly report: RepairReport }
  /** The store has an older format: it is copied, and then brought to this one. A large one takes a minute. */
  | { readonly kind: 'migrating'; readonly path: string; readonly format: number }
  /**
   * A read, or the check in the background, found damaged rows: `STORE_CORRUPT` says where. The store goes on with the other
   * rows. `isMarked`: whether the damage is marked on the disk, so that the next opening repairs or refuses the store.
   */
  | {
      readonly kind: 'damaged';
      readonly path: string;
      readonly error: TallybookError;
      readonly isMarked: boolean;
    }
  /**
   * The store can only be read, and writes fail with `STORE_WRITE_FAILED`: the store was opened on a full disk, or a write has
   * failed and somebody has to repair the disk (`isPermanentFailure` of the domain). The first write that the disk accepts
   * succeeds.
   */
  | { readonly kind: 'unwritable'; readonly path: string; readonly error: TallybookError }
  /** The disk accepts writes again. */
  | { readonly kind: 'writable'; readonly path: string }
  /**
   * The store is not new, and both files with the number of its latest acknowledged commit are missing, damaged or of another
   * store. So a loss of its latest writes cannot be detected. The files are written anew.
   */
  | { readonly kind: 'unknown-end'; readonly path: string }
  /**
   * One of the two files with that number cannot be written, so only the other one is used. `file`: the name of the unwritable
   * one.
   */
  | { readonly kind: 'unguarded'; readonly path: string; readonly file: string }
  /** The check in the background could not read: `STORE_READ_FAILED`. */
  | { readonly kind: 'unchecked'; readonly path: string; readonly error: TallybookError };

export interface LevelDatabaseOptions {
  /**
   * Whether a damaged store is repaired instead of refused with `STORE_CORRUPT`. Damage counts if the opening finds it, or if it
   * was found when the store was last open. Default: no.
   */
  readonly repairsDamage?: boolean;
  /** Whether the directory is removed after it was read: then it is not copied before a migration. Default: no. */
  readonly isTemporary?: boolean;
  /** Called with notices. Must not throw. If it is absent, the rows are not checked in the background. */
  readonly notify?: (notice: StoreNotice) => void;
  /**
   * Called after the check of the files, when LevelDB has begun to open them on another thread: this thread is free for other
   * work then. Not called if the store is damaged. Must not throw.
   */
  readonly onOpening?: () => void;
  /** Milliseconds from the opening to the check of the rows. Default: 5000, so that the start is not slowed down. */
  readonly checkAfterMs?: number;
  /** Limits of the number and the age of the changes in the journal. */
  readonly journal?: JournalLimits;
  /**
   * Gives the time at which a change is written. 0: the time is unknown, and no change becomes too old. Default: the system
   * clock.
   */
  readonly clock?: Pick<Clock, 'now'>;
}
