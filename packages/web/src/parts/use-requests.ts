import { useEffect, useMemo } from 'preact/hooks';
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
 * @param read As for `Answer.ask`.
 * @param depends As for `useEffect`.
 * @param subject With another subject, the earlier answer is no answer any more.
 */
export function useAnswer<T>(
  read: Parameters<Answer<T>['ask']>[0],
  depends: readonly unknown[],
  subject = '',
): Asked<T> {
  const answer = useMemo(() => new Answer<T>(), [subject]);
  const load = (): void => void answer.ask(read);
  useEffect(load, [answer, ...depends]);
  useEffect(() => () => answer.giveUp(), [answer]);
  return { value: answer.value.value, isMissing: answer.isMissing.value, load };
}

export interface Task {
  readonly isBusy: ReadonlySignal<boolean>;
  /** Runs the work, unless it is running already. Resolves with whether it succeeded. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Shows a reason in words, at a field if `of` names one; `undefined` removes it. */
  readonly fail: (text: string | undefined, of?: string) => void;
  /** The reason that is shown at a field, or in general. */
  readonly errorOf: (of?: string) => string | undefined;
}

/**
 * Work that the service may refuse, with the reason for showing it.
 *
 * @param words Words for codes of the service that have a special meaning here.
 */
export function useTask(words: WordsByCode = {}): Task {
  const { texts } = usePage();
  const failure = useSignal<string | undefined>(undefined);
  const field = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const fail: Task['fail'] = (text, of) => {
    failure.value = text;
    field.value = of;
  };
  return {
    isBusy,
    fail,
    errorOf: (of) => (of === field.value ? failure.value : undefined),
    run: (work) => runTask({ isBusy, fail }, work, (error) => wordsOfFailure(error, texts, words)),
  };
}
