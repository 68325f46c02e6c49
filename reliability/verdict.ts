/** The result of looking at a store after a crash. */
export interface Verdict {
  /** Why it could not be looked at: it did not open, or could not be read or written. */
  readonly refusal?: string;
  /** The problems that the ledger found in its contents. */
  readonly broken: readonly string[];
}

/** All that is wrong. After an honest crash a refusal is as bad as a loss. */
export function problemsOf({ refusal, broken }: Verdict): readonly string[] {
  return refusal === undefined ? broken : [refusal, ...broken];
}

/** Whether what the journal tells is wrong. */
export function isJournalBroken({ broken }: Verdict): boolean {
  return broken.some((problem) => problem.startsWith('the journal '));
}

/** The verdict on a store that threw this at whoever looked. */
export function refusalBy(error: unknown): Verdict {
  return { refusal: describe(error), broken: [] };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
}
