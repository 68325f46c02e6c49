/** How a part is asked to run. */
export interface RunOptions {
  /** Everything random comes from it. */
  readonly seed: number;
  /** How many cases; the part says what a case is, and how many there are by default. */
  readonly count?: number;
  /** Less of it, for every change: all parts that run in short take a few minutes together. */
  readonly isShort: boolean;
  /** Names one case, which is judged again: a folder in which it was kept, or its number. Each failure says its own. */
  readonly replay?: string;
}

/** What a part found. */
export interface Outcome {
  /** For the table at the end, in this order. */
  readonly figures: readonly Figure[];
  /** What was wrong, each with how to see that single case again. Empty: all is well. */
  readonly failures: readonly string[];
  /** Why it was not run, if it was not: something is missing on this machine. */
  readonly notRun?: string;
}

export interface Figure {
  readonly what: string;
  readonly value: number;
}

/** One way to try to break the service. Progress goes to standard error, sparsely. */
export type Part = (options: RunOptions) => Promise<Outcome>;
