import { useSignal, type ReadonlySignal } from '@preact/signals';
import { usePage } from '../../page-context.js';
import { runTask } from '../../state/task.js';
import { wordsOfFailure, type WordsByCode } from '../words/words-of-failure.js';

export interface Task {
  /** Why it was not done, in words. */
  readonly failure: ReadonlySignal<string | undefined>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** Does something, once at a time. Resolves with whether it is done. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly fail: (text: string | undefined) => void;
}

/**
 * Does something that the service may refuse, and shows why it did.
 *
 * @param words For codes of the service that mean something particular here.
 */
export function useTask(words: WordsByCode = {}): Task {
  const { texts } = usePage();
  const failure = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  return {
    failure,
    isBusy,
    fail: (text) => (failure.value = text),
    run: (work) => runTask({ failure, isBusy }, work, (error) => wordsOfFailure(error, texts, words)),
  };
}
