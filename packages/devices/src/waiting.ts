import { setTimeout as pause } from 'node:timers/promises';

/** A promise, and the function that resolves it. Only the first call has an effect. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((each) => (resolve = each));
  return { promise, resolve };
}

/** Resolves when the work has succeeded or failed, or after `milliseconds`, whichever comes first. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const limit = new AbortController();
  const { signal } = limit;
  await Promise.race([work, pause(milliseconds, undefined, { signal })]).catch(() => undefined);
  limit.abort();
}
