import type { Journal } from '../../ports/record/journal.js';
import type { Pause } from '../sort-in-turns.js';
import type { ScanChange } from '../../values/record/change.js';

/** Number of the latest changes that are searched for readers; fewer if the journal does not go back that far. */
const CHANGES_SEARCHED = 4_096;
/** A search of fewer changes is not worth another try. */
const CHANGES_LEAST = 16;
const CHANGES_OF_TURN = 256;

/** The scans among the latest changes, ascending. They have readers, which days do not. */
export async function* latestScans(
  journal: Journal,
  pause: Pause,
): AsyncGenerator<ScanChange, void, undefined> {
  const latest = await journal.latest();
  for (let back = CHANGES_SEARCHED; back >= CHANGES_LEAST; back /= 2) {
    let after = Math.max(latest - back, 0);
    let page = await journal.read(after, CHANGES_OF_TURN);
    if (!page.isKnown && page.next !== undefined && page.next < latest) {
      // Cursors between the two were never given.
      after = page.next;
      page = await journal.read(after, CHANGES_OF_TURN);
    }
    if (!page.isKnown) continue;
    while (page.isKnown && page.entries.length > 0 && after < latest) {
      for (const { cursor, change } of page.entries) {
        after = cursor;
        if (change.kind === 'scan') yield change;
      }
      await pause();
      page = await journal.read(after, CHANGES_OF_TURN);
    }
    return;
  }
}
