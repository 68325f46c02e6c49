import type { Entry } from '../../values/record/attendance-day.js';
import type { Correction } from '../../values/record/correction.js';
import type { Day } from '../../values/day.js';
import type { Erasure, ErasureState } from '../values/erasure.js';
import type { Name } from '../../values/name.js';
import type { PersonId } from '../../values/people/person.js';
import type { Stamp } from '../../values/stamp.js';
import type { ProvisionalScan } from '../../values/record/provisional.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Refusals } from '../../ports/record/refusals.js';
import type { JournalEntry } from '../../ports/record/journal.js';

/** A piece of data of a tag. */
export type Trace =
  | { readonly kind: 'name'; readonly name: Name }
  /** Stamp of the name or of its removal; `undefined` if the time was unknown. Stores without stamps give no such trace. */
  | { readonly kind: 'stamp'; readonly stamp: Stamp | undefined }
  | {
      readonly kind: 'entry';
      readonly day: Day;
      readonly entry: Entry;
      /** The single known scans, ascending: the first, the last, and known scans in between. */
      readonly scans: readonly Timestamp[];
    }
  | { readonly kind: 'provisional'; readonly scan: ProvisionalScan }
  | { readonly kind: 'correction'; readonly correction: Correction }
  | { readonly kind: 'change'; readonly entry: JournalEntry };

/** An erasure and its state. */
export type KeptErasure = Erasure & { readonly state: ErasureState };

/** The time in which a person held a tag, both seconds included. */
export interface ErasedHolding {
  readonly id: TallyId;
  readonly from: Timestamp;
  readonly until: Timestamp;
  /** Another holder followed: see `Erasure`. */
  readonly isClosed?: true;
}

/** What is erased together, and how long that is remembered. */
export interface ErasureRequest {
  /** Tags, with all their data. */
  readonly ids: readonly TallyId[];
  /** Data of tags from some time only. Default: none. */
  readonly holdings?: readonly ErasedHolding[];
  /** Ids of persons whose rows are erased, and what was recorded without a tag; each id of those who are one. Default: none. */
  readonly persons?: readonly PersonId[];
  /** Now: later scans are of the next holder of the tag, and are recorded. */
  readonly until: Timestamp;
  readonly expiresAt: Timestamp;
}

/**
 * Finds and erases all data of a tag in the stores of one place, and remembers the erasure to refuse the data later.
 *
 * Like a `SnapshotSource`, it reads the rows of names, days, provisional scans, corrections and the journal. So it belongs to
 * these stores: if you replace one of them, replace this one too.
 *
 * For implementors: extend `ErasingStore`. Other processes may write to the same storage unless your own documentation excludes it. A write resolves
 * only when it would survive a power cut. `open()` finishes begun erasures before any other read or write. It erases data up to
 * `until`, since later data is of the next holder of the tag. `scrub` and a repeated `add` finish begun erasures too. Writes go
 * on during an erasure; no write waits for a search through the whole record. Arguments are values of the domain.
 */
export interface ErasureStore extends Refusals {
  /** Key of the erasures that this site makes. It stays the same while the site has erasures. */
  readonly key: string;
  /** The present erasures of a tag. It answers from memory. */
  of(id: TallyId): readonly Erasure[];
  /** All erasures, ascending by digest. */
  list(): Promise<readonly KeptErasure[]>;
  /**
   * Erases tags: their names with their stamps, entries, scans, provisional scans, corrections, and their changes in the
   * journal. A day without entries has no record any more. When all data is gone, the journal gets one `erased` change for each
   * tag.
   *
   * The decision to erase is durable before any data is removed, so after a power cut the next opening finishes it. A tag
   * without data, or one that was erased before, can be erased too.
   *
   * @returns The digests, in the order of the tags, holdings and persons.
   * @throws {TallybookError} Also rejects with `TOO_MANY_ERASURES`, and erases no tag, if there is not enough room for all: see
   * `requireRoom`.
   */
  erase(request: ErasureRequest): Promise<readonly string[]>;
  /**
   * Takes over erasures of a backup, and erases the data of their tags. Scans, corrections of scans, and names by their stamps
   * stay, with their changes in the journal, if they are outside of the erasure and not later than `now`. A present erasure
   * stays if it ends later. If this rejects, call it again to finish.
   *
   * @param now The present time; data from a later time is erased too.
   * @throws {TallybookError} Also rejects with `TOO_MANY_ERASURE_KEYS` or `TOO_MANY_ERASURES`, and takes no erasure, if there
   * is not enough room for all: see `requireRoom`.
   */
  add(erasures: readonly Erasure[], now: Timestamp): Promise<void>;
  /**
   * Shortens present erasures to the given ones, if these end sooner. It is for erasures by a clock that was ahead, and of a tag that
   * turns out to have had another holder: later data is no longer refused. No data is erased, and the journal gets no change. Given erasures are ignored if they are not present, or
   * not done.
   */
  shorten(erasures: readonly Erasure[]): Promise<void>;
  /** Makes later erasures under this key, unless the site has erasures: then its key stays. */
  adoptKey(key: string): Promise<void>;
  /** Removes expired erasures. Resolves with their number. */
  expire(now: Timestamp): Promise<number>;
  /**
   * Removes the bytes of erased rows that the storage still holds, for example in files that are no longer in use. Resolves with
   * whether no such bytes are left. If some are left, a reader uses the old state at this moment: call it again later.
   */
  scrub(): Promise<boolean>;
  /**
   * All stored data of a tag, in this order: its name, the stamp of the name, days ascending, provisional scans, corrections by
   * day, changes in the journal.
   */
  trace(id: TallyId): AsyncIterable<Trace>;
  /** Names of files with earlier states of the storage, which may hold erased data. */
  formerFiles(): Promise<readonly string[]>;
}

/** Erasures from all facets of the record. */
export interface PersonalFacets {
  readonly erasures: ErasureStore;
}
