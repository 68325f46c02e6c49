import type { Clock } from '@tallybook/domain';

/** Longest wait for the store. By then a silent store counts as failed; a scan over HTTP is in the backlog. */
const PATIENCE_MS = 15_000;

/** The result of some work, or `otherwise` if it takes too long. */
export function patiently<T>(clock: Clock, work: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const patience = clock.schedule(PATIENCE_MS, () => resolve(otherwise));
    work.then(resolve, reject).finally(() => patience.unsubscribe());
  });
}
