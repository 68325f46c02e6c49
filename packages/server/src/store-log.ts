import type { RepairReport, StoreNotice } from '@tallybook/store-level';
import type { Log } from './log.js';

/** Writes to the log what a store has to say when it is opened, and later. */
export function logStoreNotices(log: Log): (notice: StoreNotice) => void {
  return (notice) => {
    const { path } = notice;
    switch (notice.kind) {
      case 'created':
        log.warn({ path }, `made a new, empty store at ${path}; if there was one, is its disk mounted?`);
        break;
      case 'repaired':
        log.error(
          { path, ...notice.report },
          `the store was damaged and was repaired: ${summarize(notice.report)}`,
        );
        break;
      case 'damaged':
        log.error({ path, err: notice.error }, notice.error.message);
        break;
    }
  };
}

/** What a repair saved and what is lost, as one line for people. */
export function summarize({ saved, damagedRows, missingCommits, keptIn }: RepairReport): string {
  const { names, days, entries, provisional } = saved;
  const parts = [
    `saved ${names} names, ${days} days, ${entries} entries and ${provisional} provisional scans`,
  ];
  if (damagedRows > 0) parts.push(`${damagedRows} rows were damaged`);
  if (missingCommits > 0) parts.push(`the latest ${missingCommits} acknowledged commits are missing`);
  if (keptIn !== undefined) parts.push(`the old files are kept in ${keptIn}`);
  return parts.join('; ');
}
