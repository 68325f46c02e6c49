import type {
  Change,
  DayChange,
  JournalEntry,
  NameChange,
  ProvisionalChange,
  ScanChange,
} from '@tallybook/domain';

/** An entry of the journal with one kind of change. */
export type EntryOf<T extends Change> = JournalEntry & { readonly change: T };

export function isScan(entry: JournalEntry): entry is EntryOf<ScanChange> {
  return entry.change.kind === 'scan';
}

export function isDay(entry: JournalEntry): entry is EntryOf<DayChange> {
  return entry.change.kind === 'day';
}

export function isName(entry: JournalEntry): entry is EntryOf<NameChange> {
  return entry.change.kind === 'name';
}

export function isProvisional(entry: JournalEntry): entry is EntryOf<ProvisionalChange> {
  return entry.change.kind === 'provisional';
}
