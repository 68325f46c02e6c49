import { JOURNAL_DAYS_RANGE, JOURNAL_LIMIT_RANGE } from '@tallybook/domain';
import type { StoreNotice, StoreOptions } from '../config/stores.js';
import { stampsBy, systemTime } from '../config/system-time.js';
import { unknownEndWords } from '../log/store-log.js';

/**
 * Options of stores for commands. They remove no changes from the journal: only the service does, by its settings. Names get stamps
 * as if the service had written them; only the service knows whether it is a centre.
 */
export const ofCommand: StoreOptions = {
  journal: { limit: JOURNAL_LIMIT_RANGE.highest, days: JOURNAL_DAYS_RANGE.highest },
  stamps: stampsBy(systemTime, false),
  notify: warnOfUnknownEnd,
};

/** Says it on standard error: this opening writes the files again, so the next start of the service does not find it any more. */
export function warnOfUnknownEnd(notice: StoreNotice): void {
  if (notice.kind === 'unknown-end') process.stderr.write(`tallybook: ${notice.path}: ${unknownEndWords}\n`);
}
