import { setImmediate } from 'node:timers/promises';

/** Runs something and returns what it left as unhandled rejections, which the test runner does not see. */
export async function unhandledRejectionsOf(run: () => unknown): Promise<unknown[]> {
  const listeners = process.listeners('unhandledRejection');
  const reasons: unknown[] = [];
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => reasons.push(reason));
  try {
    await run();
    // Node reports unhandled rejections when the microtasks of a turn are done, so before the next one begins.
    await setImmediate();
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
  }
  return reasons;
}
