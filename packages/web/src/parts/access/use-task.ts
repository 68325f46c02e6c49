import { useSignal, type ReadonlySignal } from '@preact/signals';
import { usePage } from '../../page-context.js';
import { runTask } from '../../state/task.js';
import { wordsOfFailure, type WordsByCode } from '../words/words-of-failure.js';

export interface Task {
  /** The reason for a failure, in words. */
  readonly failure: ReadonlySignal<string | undefined>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** Runs the work, unless it is running already. Resolves with whether it succeeded. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly fail: (text: string | undefined) => void;
}

/**
 * Work that the service may refuse, with the reason for showing it.
 *
 * @param words Words for codes of the service that have a special meaning here.
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
