import type { Cursor, JournalEntry } from '@tallybook/domain';

/** One tag on one day, as the service shows it. */
export interface ShownEntry {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** A provisional scan. */
export interface ShownProvisional {
  readonly sequence: number;
  readonly id: string;
  /** Time that the untrusted clock showed. */
  readonly shown: number;
  /**
   * Whether it may be recorded already although its row remains: its note says so, or this is not visible from
   * outside.
   */
  readonly isFiling: boolean;
}

/** A correction. This harness gives each correction a reason of its own. */
export interface ShownCorrection {
  readonly number: number;
  readonly reason: string;
  readonly day: number;
  readonly id: string;
  readonly at: number;
  readonly action: string;
  readonly state: string;
}

/** Somebody who may sign in. */
export interface ShownUser {
  readonly name: string;
  /** Its version; `undefined` if it is none of the sent versions. */
  readonly version: number | undefined;
}

/** Users, sessions and tokens, without those of the service under test itself. */
export interface ShownAccess {
  readonly users: readonly ShownUser[];
  /** The user of each session. */
  readonly sessions: readonly string[];
  /** The label of each token. */
  readonly tokens: readonly string[];
}

/** The contents of the journal. */
export interface ShownJournal {
  /** The changes after this cursor were read. */
  readonly after: Cursor;
  readonly latest: Cursor;
  readonly entries: readonly JournalEntry[];
  /** The position, in the journal, of the follower in the service under test. */
  readonly position: Cursor | undefined;
}

/** Persons and timelines as texts, so that they can be compared. */
export interface ShownPeople {
  /** Names and groups by number. */
  readonly persons: ReadonlyMap<string, string>;
  /** Seconds and holders by tag. */
  readonly timelines: ReadonlyMap<string, string>;
}

/** A person with a number in the table of a range. */
export interface ShownTablePerson {
  readonly number: string;
  readonly days: Readonly<
    Record<string, { readonly first: number; readonly last: number; readonly scans: number }>
  >;
}

/** All data that a service or a store shows. */
export interface Contents {
  readonly mapping: ReadonlyMap<string, { readonly first: string; readonly last: string }>;
  readonly days: ReadonlyMap<number, readonly ShownEntry[]>;
  readonly provisional: readonly ShownProvisional[];
  /** Absent if they were not read. */
  readonly corrections?: readonly ShownCorrection[];
  /** Absent if nobody has read it. */
  readonly access?: ShownAccess;
  /** Absent if nobody has read them. */
  readonly people?: ShownPeople;
  /** Absent if nobody has read it. */
  readonly table?: readonly ShownTablePerson[];
  /** Absent if nobody has read it. */
  readonly journal?: ShownJournal;
}
