import type { Cursor, Journal } from '../../ports/record/journal.js';
import type { Change } from '../../values/record/change.js';
import type { Day } from '../../values/day.js';
import type { TallyId } from '../../values/tally-id.js';

const PAGE_SIZE = 1_000;

/** The changes of a journal after a cursor; `undefined` in place of changes that the journal no longer has. */
async function* changesAfter(
  journal: Journal,
  after: Cursor,
): AsyncGenerator<Change | undefined, void, undefined> {
  let cursor = after;
  for (;;) {
    const page = await journal.read(cursor, PAGE_SIZE);
    const last = page.isKnown ? page.entries.at(-1)?.cursor : undefined;
    if (!page.isKnown) yield undefined;
    if (!page.isKnown || last === undefined) return;
    for (const { change } of page.entries) yield change;
    cursor = last;
  }
}

/**
 * Whether a change of a name, of a correction or of one of these days waits to be sent, so that it must not be overwritten.
 * Also true if the waiting changes are unknown.
 */
export async function mustWait(journal: Journal, after: Cursor, days: ReadonlySet<Day>): Promise<boolean> {
  for await (const change of changesAfter(journal, after)) {
    switch (change?.kind) {
      case undefined:
      case 'name':
      case 'person':
      case 'tag':
      case 'group':
      case 'carried':
      case 'correction':
      case 'repaired':
        return true;
      case 'scan':
      case 'day':
        if (days.has(change.day)) return true;
        break;
      case 'provisional':
      case 'erased':
    }
  }
  return false;
}

/** The tags whose names wait to be sent; `undefined` if the waiting changes are unknown. */
export async function waitingNames(
  journal: Journal,
  after: Cursor,
): Promise<ReadonlySet<TallyId> | undefined> {
  const ids = new Set<TallyId>();
  for await (const change of changesAfter(journal, after)) {
    if (change === undefined || change.kind === 'repaired') return undefined;
    if (change.kind === 'name') ids.add(change.id);
  }
  return ids;
}
