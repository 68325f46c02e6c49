import { useEffect, useState } from 'preact/hooks';
import { Answer } from '../state/answer.js';

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
