import type { Settings } from '@tallybook/client';
import type { BrowserStore } from './kept.js';

/** Key in the browser: whether the first steps do not open by themselves here any more. */
const KEY = 'no-first-steps';

/** From now on, the first steps do not open by themselves in this browser. */
export function leaveFirstSteps(store: BrowserStore): void {
  store.write(KEY, true);
}

/** The service is new: what this browser knows of the one before, at the same address, does not count. */
export function forgetFirstSteps(store: BrowserStore): void {
  store.write(KEY, false);
}

/**
 * Whether the first steps open by themselves: nobody has chosen settings, nor put that off in this browser.
 *
 * @param read Resolves with `undefined` if the service stores no settings.
 */
export async function areFirstStepsDue(
  store: BrowserStore,
  read: () => Promise<Pick<Settings, 'isAsked'> | undefined>,
): Promise<boolean> {
  if (store.read(KEY, (value): value is true => value === true) === true) return false;
  const isDue = (await read())?.isAsked === false;
  if (!isDue) leaveFirstSteps(store);
  return isDue;
}
