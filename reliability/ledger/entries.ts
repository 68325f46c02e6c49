import type { Change, JournalEntry } from '@tallybook/domain';

/** An entry of the journal with one kind of change. */
export type EntryOf<K extends Change['kind']> = JournalEntry & {
  readonly change: Extract<Change, { readonly kind: K }>;
};

export function entriesOf<K extends Change['kind']>(
  entries: readonly JournalEntry[],
  kind: K,
): readonly EntryOf<K>[] {
  return entries.filter((entry): entry is EntryOf<K> => entry.change.kind === kind);
}
