/** The judgement on a store after a crash. */
export interface Verdict {
  /** Why the store could not be judged: it did not open, or could not be read or written. */
  readonly refusal?: string;
  /** The problems that the ledger found in its contents. */
  readonly broken: readonly string[];
}

/** All problems. After a crash without an injected fault, a refusal is as bad as a loss. */
export function problemsOf({ refusal, broken }: Verdict): readonly string[] {
  return refusal === undefined ? broken : [refusal, ...broken];
}

/** Whether the ledger found problems. */
export function isBroken({ broken }: Verdict): boolean {
  return broken.length > 0;
}

/** Whether the ledger found problems of the journal. */
export function isJournalBroken({ broken }: Verdict): boolean {
  return broken.some((problem) => problem.startsWith('the journal '));
}

/** The verdict on a store that threw this error. */
export function refusalBy(error: unknown): Verdict {
  return { refusal: describe(error), broken: [] };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
}
