// The groups of pages that are loaded later: see `vite.config.mjs`.
import type * as Lists from './list-pages.js';
import type * as People from './people-pages.js';
import type * as Record from './record-pages.js';
import type * as Settings from './settings-pages.js';
import type * as Shared from './shared-pages.js';
import type * as System from './system-pages.js';

/** Pages of people who are not signed in, in a file with the parts that several groups need. */
export const shared = (): Promise<typeof Shared> => import('./shared-pages.js');

/** The pages about persons, groups and guests. */
export const people = (): Promise<typeof People> => withShared(import('./people-pages.js'));

/** The pages about the record, which use parts of those about persons. */
export const record = async (): Promise<typeof Record> =>
  (await Promise.all([import('./record-pages.js'), people()]))[0];

/** The pages about lists of persons. */
export const lists = (): Promise<typeof Lists> => withShared(import('./list-pages.js'));

/** The pages about the service. */
export const system = (): Promise<typeof System> => withShared(import('./system-pages.js'));

/** The pages about the settings that the service stores. */
export const settings = (): Promise<typeof Settings> => withShared(import('./settings-pages.js'));

/** Requests both files at once, so that opening a page is one wait. */
async function withShared<T>(pages: Promise<T>): Promise<T> {
  return (await Promise.all([pages, shared()]))[0];
}
