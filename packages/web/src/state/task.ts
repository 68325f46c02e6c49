import type { Signal } from '@preact/signals';

/** State of work that may be refused. */
export interface TaskState {
  /** The reason for a failure, in words. */
  readonly failure: Signal<string | undefined>;
  readonly isBusy: Signal<boolean>;
}

/**
 * Runs the work, unless it is running already. Resolves with whether it succeeded.
 *
 * @param wordsOf Gives the reason for a failure in words.
 */
export async function runTask(
  { failure, isBusy }: TaskState,
  work: () => Promise<unknown>,
  wordsOf: (error: unknown) => string,
): Promise<boolean> {
  if (isBusy.peek()) return false;
  isBusy.value = true;
  failure.value = undefined;
  try {
    await work();
    return true;
  } catch (error) {
    failure.value = wordsOf(error);
    return false;
  } finally {
    isBusy.value = false;
  }
}
