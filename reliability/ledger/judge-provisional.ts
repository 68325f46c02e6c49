import type { Cursor } from '@tallybook/domain';
import type { Contents } from './contents.js';
import type { EntryOf } from './entries.js';

interface ToldScans {
  readonly entries: readonly EntryOf<'provisional'>[];
  readonly scans: readonly EntryOf<'scan'>[];
}

interface KnownScans {
  /** Number of scans that were acknowledged as provisional, by tag. */
  readonly announced: ReadonlyMap<string, number>;
  /** Scans up to this sequence may have been stored before the first of the entries. */
  readonly oldSequence: number;
  /** Scans that were stored before this cursor may have been filed on a removed day. */
  readonly removedAt: Cursor;
}

/** Problems of provisional scans in the journal: each scan must have an entry, and must wait or be filed, once. */
export function* judgeProvisional(
  { provisional }: Contents,
  { entries, scans }: ToldScans,
  { announced, oldSequence, removedAt }: KnownScans,
): Generator<string> {
  const held = new Map<number, EntryOf<'provisional'>>();
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const { sequence, id } = entry.change;
    if (held.has(sequence)) yield `the journal has the provisional scan ${sequence} twice`;
    held.set(sequence, entry);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  for (const [id, count] of announced) {
    const told = counts.get(id) ?? 0;
    if (told < count) yield `the journal has ${told} provisional scans of ${id}, but ${count} were announced`;
  }
  const filed = new Set<number>();
  for (const { cursor, change } of scans) {
    const sequence = change.filed?.sequence;
    if (sequence === undefined) continue;
    if (filed.has(sequence)) yield `the journal has the provisional scan ${sequence} filed twice`;
    filed.add(sequence);
    const before = held.get(sequence);
    const isKnown = before !== undefined && before.cursor < cursor && before.change.id === change.id;
    if (!isKnown && sequence > oldSequence) {
      yield `the journal has the provisional scan ${sequence} filed before it was held`;
    }
  }
  const waiting = new Set(provisional.map(({ sequence }) => sequence));
  for (const sequence of waiting) {
    if (!held.has(sequence) && sequence > oldSequence) {
      yield `the journal does not have the provisional scan ${sequence}, which waits`;
    }
  }
  for (const [sequence, { cursor }] of held) {
    if (cursor > removedAt && !waiting.has(sequence) && !filed.has(sequence)) {
      yield `the journal has the provisional scan ${sequence}, which neither waits nor is filed`;
    }
  }
}
