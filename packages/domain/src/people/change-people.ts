import type { PeopleRows, PeopleStore } from '../ports/people/people-store.js';
import { DerivedRows } from './derived-rows.js';
import { draftRows } from './draft-rows.js';
import { PeopleDraft } from './people-draft.js';
import { WantedKeys } from './wanted-keys.js';

/**
 * Decides on rows of a store, and writes what follows: all of it, or nothing.
 *
 * `decide` is called with a draft of the rows that it asked for so far. If it asks for others, these are read too, and it is called
 * again; also if another write came first. So it decides anew each time, and does nothing else.
 */
export async function changePeople<T>(store: PeopleStore, decide: (draft: PeopleDraft) => T): Promise<T> {
  const keys = new WantedKeys();
  for (;;) {
    const seen = await store.read(keys);
    const rows = draftRows(seen, keys);
    const draft = new PeopleDraft(rows, keys, await keys.groupsOf(store));
    let result: T;
    let written: PeopleRows;
    try {
      result = decide(draft);
      written = new DerivedRows({ draft, rows, store }).finish();
    } catch (error) {
      if (keys.takeHasGrown()) continue;
      throw error;
    }
    if (keys.takeHasGrown()) continue;
    const isSame = Object.values(written).every(({ size }: ReadonlyMap<unknown, unknown>) => size === 0);
    if (isSame || (await store.write(written, seen))) return result;
  }
}

/** Reads rows until a decision needs no more; nothing is written. */
export async function readPeople<T>(store: PeopleStore, decide: (draft: PeopleDraft) => T): Promise<T> {
  const keys = new WantedKeys();
  for (;;) {
    const rows = draftRows(await store.read(keys), keys);
    const draft = new PeopleDraft(rows, keys, await keys.groupsOf(store));
    try {
      const result = decide(draft);
      if (!keys.takeHasGrown()) return result;
    } catch (error) {
      if (!keys.takeHasGrown()) throw error;
    }
  }
}
