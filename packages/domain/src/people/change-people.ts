import type { PeopleRows, PeopleStore } from '../ports/people/people-store.js';
import { DerivedRows } from './derived-rows.js';
import { draftRows, type DraftRows } from './draft-rows.js';
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
    const { seen, decided } = await decideOn(store, keys, (draft, rows) => {
      const result = decide(draft);
      return { result, written: new DerivedRows({ draft, rows, store }).finish() };
    });
    const { result, written } = decided;
    const isSame = Object.values(written).every(({ size }: ReadonlyMap<unknown, unknown>) => size === 0);
    if (isSame || (await store.write(written, seen))) return result;
  }
}

/** Reads rows until a decision needs no more; nothing is written. */
export async function readPeople<T>(store: PeopleStore, decide: (draft: PeopleDraft) => T): Promise<T> {
  return (await decideOn(store, new WantedKeys(), decide)).decided;
}

/** Decides when all rows that it asks for are read. */
async function decideOn<T>(
  store: PeopleStore,
  keys: WantedKeys,
  decide: (draft: PeopleDraft, rows: DraftRows) => T,
): Promise<{ readonly seen: PeopleRows; readonly decided: T }> {
  for (;;) {
    const seen = await store.read(keys);
    const rows = draftRows(seen, keys);
    const draft = new PeopleDraft(rows, keys, await keys.groupsOf(store));
    try {
      const decided = decide(draft, rows);
      if (!keys.takeHasGrown()) return { seen, decided };
    } catch (error) {
      if (!keys.takeHasGrown()) throw error;
    }
  }
}
