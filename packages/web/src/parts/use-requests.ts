import { useEffect, useState } from 'preact/hooks';
import { useSignal, type ReadonlySignal } from '@preact/signals';
import { Answer, runTask } from '../state/requests.js';
import { usePage } from '../page-context.js';
import { wordsOfFailure, type WordsByCode } from './words.js';

export interface Asked<T> {
  /** `undefined` before the first answer. */
  readonly value: T | undefined;
  readonly isMissing: boolean;
  /** Asks again. */
  readonly load: () => void;
}

/**
 * Asks the service when a component appears, and again whenever a dependency changes.
 *
 * @param depends As for `useEffect`.
 */
export function useAnswer<T>(read: () => Promise<T>, depends: readonly unknown[]): Asked<T> {
  const [answer] = useState(() => new Answer<T>());
  const load = (): void => void answer.ask(read);
  useEffect(load, [...depends]);
  useEffect(() => () => answer.giveUp(), []);
  return { value: answer.value.value, isMissing: answer.isMissing.value, load };
}

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
