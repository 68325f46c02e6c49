import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves with what is looked for, as soon as it is there or true. Rejects after `patienceMs`, which only a failure
 * reaches.
 */
export async function until<T>(
  what: string,
  find: () => T | Promise<T>,
  patienceMs: number,
  lookMs = 20,
): Promise<Exclude<T, undefined | false>> {
  for (const end = performance.now() + patienceMs; ;) {
    const found = await find();
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    if (performance.now() > end) throw new Error(`waited ${patienceMs} ms in vain until ${what}`);
    await pause(lookMs);
  }
}
