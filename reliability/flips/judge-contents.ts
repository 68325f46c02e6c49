import { isDeepStrictEqual } from 'node:util';
import type { Contents } from '../ledger/contents.js';
import { versionOf } from '../ledger/names.js';

/** What is wrong with what a damaged store shows that says that it is sound: it must show all that was there. */
export function judgeSound(shown: Contents, before: Contents): readonly string[] {
  return (['mapping', 'days', 'provisional'] as const)
    .filter((what) => !isDeepStrictEqual(shown[what], before[what]))
    .map((what) => `the store says nothing of damage, but the ${what} are not what they were`);
}

/** What is wrong with what a store shows that says that it was damaged: something may be gone or older, and nothing new. */
export function judgeSaved(shown: Contents, before: Contents): readonly string[] {
  const broken: string[] = [];
  for (const [id, name] of shown.mapping) {
    const last = before.mapping.get(id);
    const version = versionOf(id, name) ?? Infinity;
    if (last === undefined || version > (versionOf(id, last) ?? 0)) {
      broken.push(`the name of ${id} was never ${JSON.stringify(name)}`);
    }
  }
  for (const [day, entries] of shown.days) {
    for (const entry of entries) {
      const last = before.days.get(day)?.find(({ id }) => id === entry.id);
      const isEarlier =
        last !== undefined &&
        entry.first >= last.first &&
        entry.last <= last.last &&
        entry.count <= last.count;
      if (!isEarlier) broken.push(`day ${day} never had ${JSON.stringify(entry)}`);
    }
  }
  for (const scan of shown.provisional) {
    if (!before.provisional.some(({ id, shown: at }) => id === scan.id && at === scan.shown)) {
      broken.push(`the scan ${JSON.stringify(scan)} was never provisional`);
    }
  }
  return broken;
}
