import { signal, type ReadonlySignal, type Signal } from '@preact/signals';

/**
 * The answer to the last question. An earlier question is aborted, so that a late answer does not replace a newer one.
 */
export class Answer<T> {
  private readonly latest = signal<T | undefined>(undefined);
  private readonly missing = signal(false);
  private asking = new AbortController();
  /** The last answer; `undefined` before the first. */
  readonly value: ReadonlySignal<T | undefined> = this.latest;
  /** Whether the last question failed. */
  readonly isMissing: ReadonlySignal<boolean> = this.missing;

  /** @param read Called with the previous answer, and a signal that is aborted with the question. */
  async ask(read: (signal: AbortSignal, known: T | undefined) => Promise<T>): Promise<void> {
    this.giveUp();
    const { signal: given } = (this.asking = new AbortController());
    try {
      const value = await read(given, this.latest.peek());
      if (given.aborted) return;
      this.latest.value = value;
      this.missing.value = false;
    } catch {
      if (!given.aborted) this.missing.value = true;
    }
  }

  giveUp(): void {
    this.asking.abort();
  }
}

/** State of work that may be refused. */
interface TaskState {
  readonly isBusy: Signal<boolean>;
  /** Takes the reason for a failure, in words. */
  readonly fail: (text: string | undefined) => void;
}

/**
 * Runs the work, unless it is running already. Resolves with whether it succeeded.
 *
 * @param wordsOf Gives the reason for a failure in words.
 */
export async function runTask(
  { isBusy, fail }: TaskState,
  work: () => Promise<unknown>,
  wordsOf: (error: unknown) => string,
): Promise<boolean> {
  if (isBusy.peek()) return false;
  isBusy.value = true;
  fail(undefined);
  try {
    await work();
    return true;
  } catch (error) {
    fail(wordsOf(error));
    return false;
  } finally {
    isBusy.value = false;
  }
}
