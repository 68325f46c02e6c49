import type { Signal } from '@preact/signals';

/** State of work that may be refused. */
export interface TaskState {
  /** Why it was not done, in words. */
  readonly failure: Signal<string | undefined>;
  readonly isBusy: Signal<boolean>;
}

/**
 * Does something, once at a time. Resolves with whether it is done.
 *
 * @param wordsOf Says why it was not done.
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
