import type { Lifecycle } from '../../lifecycle.js';
import type { Entry } from '../../values/record/attendance-day.js';
import type { Correction } from '../../values/record/correction.js';
import type { Day } from '../../values/day.js';
import type { ErasureRoom } from '../../values/record/erasure-keys.js';
import type { Erasure, ErasureState } from '../../values/record/erasure.js';
import type { Name } from '../../values/names/name.js';
import type { NameStamp } from '../../values/names/name-stamp.js';
import type { ProvisionalScan } from '../../values/record/provisional.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { JournalEntry } from './journal.js';

/** A piece of data of a tag. */
export type Trace =
  | { readonly kind: 'name'; readonly name: Name }
  /** When the name was given, or taken away; `undefined` if nobody knew the time. There is none where names have no stamps. */
  | { readonly kind: 'stamp'; readonly stamp: NameStamp | undefined }
  | {
      readonly kind: 'entry';
      readonly day: Day;
      readonly entry: Entry;
      /** The scans that are known one by one, ascending: the first, the last, and those between. */
      readonly scans: readonly Timestamp[];
    }
  | { readonly kind: 'provisional'; readonly scan: ProvisionalScan }
  | { readonly kind: 'correction'; readonly correction: Correction }
  | { readonly kind: 'change'; readonly entry: JournalEntry };

/** An erasure and how far it has come. */
export type KeptErasure = Erasure & { readonly state: ErasureState };

/** The tags that are erased together, and for how long nothing of them is taken. */
export interface ErasureRequest {
  readonly ids: readonly TallyId[];
  /** Now: a scan that is later, of whoever has the tag then, counts. */
  readonly until: Timestamp;
  readonly expiresAt: Timestamp;
  /** How much of the store may be full then. Default: all of it. */
  readonly room?: ErasureRoom;
}

/**
 * Finds and erases all data of a tag in the stores of one place, and remembers to refuse it.
 *
 * Like a `SnapshotSource`, it reads the rows of names, days, provisional scans, corrections and the journal, so it belongs to
 * them: whoever replaces one of these stores replaces this one too.
 *
 * For implementors: other processes may write to the same storage unless your own documentation excludes it. A write resolves
 * only when it would survive a power cut. An opening finishes erasures that were begun, before anything else is read or written:
 * up to `until`, since later data is of whoever has the tag then. `scrub` and a repeated `add` finish them too.
 * Writes go on meanwhile; none of them waits for the whole record to be looked through. Arguments are values of the domain.
 *
 * In addition to the codes of {@link Lifecycle}, operations reject with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`; `open()` also with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`.
 */
export interface ErasureStore extends Lifecycle {
  /**
   * Data of a tag up to this moment is refused; `undefined` if the tag was not erased. It answers from memory, since every tap
   * asks, and knows of an erasure from the call of {@link erase} or {@link add} on. So whoever asks and then calls for a write in
   * the same turn of the event loop brings nobody back: the erasure that is called for later also erases this write.
   */
  refusedUntil(id: TallyId): Timestamp | undefined;
  /** All erasures, ascending by digest. */
  list(): Promise<readonly KeptErasure[]>;
  /**
   * Erases tags: their names with their stamps, entries, scans, provisional scans, corrections, and their changes in the
   * journal. A day without entries has no record any more. When all of it is gone, the journal is told `erased`, once for
   * each tag.
   *
   * The decision to erase is durable before anything is removed, so after a power cut the next opening goes on. A tag without
   * data can be erased too, and a tag that was erased before.
   *
   * @returns The digests, in the order of the tags.
   * @throws {TallybookError} Rejects also with `TOO_MANY_ERASURES`, and erases none, if there is no room for all: `requireRoom`.
   */
  erase(request: ErasureRequest): Promise<readonly string[]>;
  /**
   * Takes over erasures of a backup, and erases the data of their tags. Scans, corrections of scans, and names by their
   * stamps, stay with their changes in the journal if they are later than `until` and not later than `now`. An erasure that is
   * there already stays if it ends later. If this rejects, call it again: then it goes on. An erasure whose digest is there, or
   * comes before it, under another key is left out: only a forger has it.
   *
   * @param now The present time; data from after it is erased too.
   * @param room How much of the store may be full then. Default: all of it. It holds for those that come at the same time too.
   * @throws {TallybookError} Rejects also with `TOO_MANY_ERASURE_KEYS` or `TOO_MANY_ERASURES`, and takes none, if there is no
   * room for all: `requireRoom`.
   */
  add(erasures: readonly Erasure[], now: Timestamp, room?: ErasureRoom): Promise<void>;
  /**
   * Shortens present erasures to these, if these end sooner, because they were made by a clock that was ahead: later data is
   * no longer refused. Nothing is erased, and the journal is told nothing. Erasures that are not here, or not done, are left out.
   */
  shorten(erasures: readonly Erasure[]): Promise<void>;
  /** Removes erasures whose time is over. Resolves with how many there were. */
  expire(now: Timestamp): Promise<number>;
  /**
   * Removes the bytes of erased rows that the storage still holds, for example in files that are no longer in use. Resolves with
   * whether none are left; if some are, somebody reads the old state at this moment: call it again.
   */
  scrub(): Promise<boolean>;
  /** Everything that is kept of a tag: its name, the stamp of the name, days ascending, provisional scans, corrections by day, the journal. */
  trace(id: TallyId): AsyncIterable<Trace>;
  /** Names of files that were kept of earlier states of the storage, and may hold what was erased. */
  formerFiles(): Promise<readonly string[]>;
}
