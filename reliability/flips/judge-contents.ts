import { isDeepStrictEqual } from 'node:util';
import type { JournalEntry } from '@tallybook/domain';
import type { Contents } from '../ledger/contents.js';
import { versionOf } from '../ledger/names.js';

/** The problems of a damaged store that reports no damage: it must show all of its former data. */
export function judgeSound(shown: Contents, before: Contents): readonly string[] {
  const changed: readonly string[] = (['mapping', 'days', 'provisional'] as const).filter(
    (what) => !isDeepStrictEqual(shown[what], before[what]),
  );
  const isJournalChanged =
    shown.journal !== undefined && !isDeepStrictEqual(entriesBefore(shown, before), before.journal?.entries);
  return [...changed, ...(isJournalChanged ? ['changes of the journal'] : [])].map(
    (what) => `the store says nothing of damage, but the ${what} are not what they were`,
  );
}

/** The problems of a damaged store that reports damage: data may be missing or older, but none may be new. */
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
  const changes = new Map(before.journal?.entries.map(({ cursor, change }) => [cursor, change]));
  for (const { cursor, change } of entriesBefore(shown, before)) {
    if (!isDeepStrictEqual(change, changes.get(cursor))) {
      broken.push(`the journal never had ${JSON.stringify(change)} at ${cursor}`);
    }
  }
  return broken;
}

/** How many names, entries and provisional scans are missing or older than before. */
export function countLost(shown: Contents, before: Contents): number {
  const entries = (contents: Contents): readonly string[] =>
    [...contents.days].flatMap(([day, all]) => all.map((entry) => `${day} ${JSON.stringify(entry)}`));
  const names = (contents: Contents): readonly string[] =>
    [...contents.mapping].map((each) => JSON.stringify(each));
  const scans = (contents: Contents): readonly string[] =>
    contents.provisional.map(({ id, shown: at }) => `scan ${id} ${at}`);
  const all = (contents: Contents): readonly string[] =>
    [entries, names, scans].flatMap((listed) => listed(contents));
  const left = new Set(all(shown));
  return all(before).filter((row) => !left.has(row)).length;
}

/** The entries up to the former end of the journal. Later entries come from test writes at a start. */
function entriesBefore({ journal }: Contents, before: Contents): readonly JournalEntry[] {
  const latest = before.journal?.latest ?? 0;
  return journal?.entries.filter(({ cursor }) => cursor <= latest) ?? [];
}
