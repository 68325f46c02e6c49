import { useSignal, type ReadonlySignal } from '@preact/signals';
import { TallybookClientError } from '@tallybook/client';
import { usePage } from '../../page-context.js';
import { wordsOfFailure } from '../words/words-of-failure.js';

export interface Task {
  /** Why it was not done, in words. */
  readonly failure: ReadonlySignal<string | undefined>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** Does something, once at a time. Resolves with whether it is done. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly fail: (text: string | undefined) => void;
}

/**
 * Does what may be refused, and says why it was.
 *
 * @param words For codes of the service that mean something particular here.
 */
export function useTask(words: Readonly<Partial<Record<string, string>>> = {}): Task {
  const { texts } = usePage();
  const failure = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  return {
    failure,
    isBusy,
    fail: (text) => (failure.value = text),
    run: async (work) => {
      if (isBusy.peek()) return false;
      isBusy.value = true;
      failure.value = undefined;
      try {
        await work();
        return true;
      } catch (error) {
        const code = error instanceof TallybookClientError ? (error.code ?? '') : '';
        failure.value = words[code] ?? wordsOfFailure(error, texts);
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}
