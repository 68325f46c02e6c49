/** Options of a run of a part. */
export interface RunOptions {
  /** It fixes all random choices. */
  readonly seed: number;
  /** Number of cases. The part defines a case and the default number. */
  readonly count?: number;
  /** Whether the run is short, for every change: all parts together then take a few minutes. */
  readonly isShort: boolean;
  /** A case to judge again: the folder in which it was kept, or its number. Each failure prints its case. */
  readonly replay?: string;
}

/** The findings of a part. */
export interface Outcome {
  /** Rows for the table at the end, in this order. */
  readonly figures: readonly Figure[];
  /** Descriptions of the failures, each with the command that repeats its case. Empty: all is well. */
  readonly failures: readonly string[];
  /** Why the part was not run: something is missing on this machine. Absent if it was run. */
  readonly notRun?: string;
}

export interface Figure {
  readonly what: string;
  readonly value: number;
}

/** One way to try to break the service. A few lines of progress go to standard error. */
export type Part = (options: RunOptions) => Promise<Outcome>;
