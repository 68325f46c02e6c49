import type { Correction } from './corrections.js';
import type { Name, TallyId } from './names.js';
import type { ServiceTime, WaitingScan } from './service-state.js';

/** Which day: by its number, days since 1970-01-01, or by any second of it, in seconds since 1970. */
export type DayChoice =
  | { readonly day: number; readonly timestamp?: undefined }
  | { readonly timestamp: number; readonly day?: undefined };

/** From the day of one moment to the day of another, both included. Seconds since 1970. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Who was there on a day. */
export interface AttendanceDay {
  /** Days since 1970-01-01. */
  readonly date: number;
  /** In the order of the first scan. */
  readonly ids: readonly TallyId[];
}

/** Who was there on a day, and when. */
export interface DetailedDay extends AttendanceDay {
  readonly entries: readonly Entry[];
}

/** A tag on a day. */
export interface Entry {
  readonly id: TallyId;
  /** The first scan, seconds since 1970. */
  readonly first: number;
  /** The last scan, seconds since 1970. */
  readonly last: number;
  /** Number of scans, from 1. */
  readonly count: number;
  /** Present if no scan of the tag counts: all are void, or wait for approval. Such a tag is not among the `ids`. */
  readonly isVoided?: true;
  /** Its corrections in every state, ascending by number; absent if there are none. */
  readonly corrections?: readonly Correction[];
}

/** The time, and who is here today. Times are seconds since 1970. */
export interface Today {
  /** By the clock of the service. */
  readonly now: ServiceTime;
  /** Entries of its `day`, in the order of the first scan; those without a scan that counts come last. */
  readonly entries: readonly Entry[];
  /** Scans whose day is not known yet, in the order of the taps. Empty for clients that may see only today. */
  readonly waiting: readonly WaitingScan[];
}

/** People and days. */
export interface Table {
  /** The days with a record, ascending. */
  readonly days: readonly number[];
  /** By last and first name; then the tags without a name. */
  readonly people: readonly Person[];
}

/** The row of a person in a {@link Table}: the tags of one name. */
export interface Person {
  /** `null` for a tag without a name. */
  readonly name: Name | null;
  /** Ascending. */
  readonly ids: readonly TallyId[];
  /** By day; only the days on which this person was there. */
  readonly days: Readonly<Record<string, Presence>>;
}

/** The scans of a person on a day. */
export interface Presence {
  /** The first scan, seconds since 1970. */
  readonly first: number;
  /** The last scan, seconds since 1970. */
  readonly last: number;
  /** Number of scans, from 1. */
  readonly scans: number;
}

/** A change of the record of a day, other than a scan. */
export interface DayChange {
  readonly day: number;
  /** `merged`: entries of a backup were added. `corrected`: corrections were made or decided. */
  readonly change: 'removed' | 'merged' | 'corrected';
}
