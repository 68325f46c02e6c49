import type { Cursor, JournalEntry } from '@tallybook/domain';

/** One tag on one day, as the service shows it. */
export interface ShownEntry {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** A scan that waits for its day. */
export interface ShownProvisional {
  readonly sequence: number;
  readonly id: string;
  /** Time that the untrusted clock showed. */
  readonly shown: number;
  /** Whether it may be recorded already, and only not be removed here: its note says so, or that cannot be known from outside. */
  readonly isFiling: boolean;
}

/** A correction, which this harness makes with a reason of its own. */
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
  /** Which of the versions that were sent it has; `undefined` if it is none of them. */
  readonly version: number | undefined;
}

/** Users, sessions and tokens, without those that the service under test needs for itself. */
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
  /** How far the follower got that the service under test has, as the journal knows it. */
  readonly position: Cursor | undefined;
}

/** Everything that a service or a store shows. */
export interface Contents {
  readonly mapping: ReadonlyMap<string, { readonly first: string; readonly last: string }>;
  readonly days: ReadonlyMap<number, readonly ShownEntry[]>;
  readonly provisional: readonly ShownProvisional[];
  /** Absent if nobody has read them. */
  readonly corrections?: readonly ShownCorrection[];
  /** Absent if nobody has read it. */
  readonly access?: ShownAccess;
  /** Absent if nobody has read it. */
  readonly journal?: ShownJournal;
}
