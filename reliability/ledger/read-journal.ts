import type { Cursor, Journal, JournalEntry } from '@tallybook/domain';
import type { ShownJournal } from './contents.js';

/** The consumer of the journal that the service under test has. */
export const FOLLOWER = 'follower';
const PAGE_ENTRIES = 1_000;

/** The changes after a cursor, up to the first that cannot be read; `reason` says why it cannot. */
export async function readEntries(
  journal: Pick<Journal, 'read'>,
  after: Cursor,
): Promise<{ readonly entries: readonly JournalEntry[]; readonly reason?: string }> {
  const entries: JournalEntry[] = [];
  for (;;) {
    const page = await journal.read(entries.at(-1)?.cursor ?? after, PAGE_ENTRIES);
    if (!page.isKnown) return { entries, reason: page.reason };
    if (page.entries.length === 0) return { entries };
    entries.push(...page.entries);
  }
}

export async function readJournal(
  journal: Journal,
  after: Cursor = 0,
): Promise<ShownJournal & { readonly reason?: string }> {
  const latest = await journal.latest();
  const read = await readEntries(journal, after);
  return { after, latest, ...read, position: await journal.position(FOLLOWER) };
}
