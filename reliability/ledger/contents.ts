/** One tag on one day, as the service shows it. */
export interface ShownEntry {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** A scan that waits for its day. */
export interface ShownProvisional {
  readonly id: string;
  /** What the clock showed that could not be trusted. */
  readonly shown: number;
  /** Whether it may have been recorded already, and only not been taken from here: by its note, or nobody can tell. */
  readonly isFiling: boolean;
}

/** Everything that a service or a store shows. */
export interface Contents {
  readonly mapping: ReadonlyMap<string, { readonly first: string; readonly last: string }>;
  readonly days: ReadonlyMap<number, readonly ShownEntry[]>;
  readonly provisional: readonly ShownProvisional[];
}
