import type { RepairReport, StoreNotice } from '@tallybook/store-level';
import type { DamageReaction } from '../config/settings.js';
import type { Log } from './log.js';

/** Writes to the log what a store has to say when it is opened, and later. */
export function logStoreNotices(log: Log, onDamage: DamageReaction): (notice: StoreNotice) => void {
  return (notice) => {
    const { path } = notice;
    switch (notice.kind) {
      case 'created':
        log.info(
          { path },
          `made a new, empty store at ${path}. Normal at the first start; if you had one there, check that its disk is mounted`,
        );
        break;
      case 'repairing':
        log.warn(
          { path },
          `the store is damaged: ${notice.reason}; it is being repaired, which may take a minute`,
        );
        break;
      case 'repaired':
        log.error(
          { path, ...notice.report },
          `the store was damaged and was repaired: ${summarize(notice.report)}; now import the last backup`,
        );
        break;
      case 'damaged':
        log.error(
          { path, err: notice.error },
          `${notice.error.message}; the service goes on with the rest, and ${next(onDamage, notice.isMarked)}`,
        );
        break;
      case 'unwritable':
        log.error(
          { path, err: notice.error },
          `the disk of ${path} is full: names and days can be read, taps are kept in memory until there is room; make room on it`,
        );
        break;
      case 'writable':
        log.info({ path }, `the disk of ${path} has room again; the store can be written`);
        break;
      case 'unchecked':
        log.error({ path, err: notice.error }, notice.error.message);
        break;
    }
  };
}

/** What the next start does about damage that was found. */
function next(onDamage: DamageReaction, isMarked: boolean): string {
  if (!isMarked) return 'this could not be noted in its folder, so the next start has to find it again';
  return onDamage === 'repair' ? 'the next start repairs the store' : 'the next start refuses the store';
}

/** What a repair saved and what is lost, as one line for people. */
export function summarize(report: RepairReport): string {
  const {
    saved,
    rescuedRows,
    damagedRows,
    lostChanges,
    brokenBlocks,
    missingCommits,
    isMissingAtMost,
    keptIn,
  } = report;
  const { names, days, entries, provisional } = saved;
  const parts = [
    `saved ${counted(names, 'name')}, ${counted(days, 'day')}, ${counted(entries, 'entry', 'entries')} and ${counted(provisional, 'provisional scan')}`,
  ];
  if (rescuedRows > 0) parts.push(`${counted(rescuedRows, 'row was', 'rows were')} found in damaged places`);
  if (damagedRows > 0) parts.push(`${counted(damagedRows, 'row was', 'rows were')} damaged`);
  if (lostChanges > 0) parts.push(`${counted(lostChanges, 'change is', 'changes are')} lost`);
  if (brokenBlocks > 0) parts.push(`some rows in ${counted(brokenBlocks, 'damaged block')} may be lost`);
  if (missingCommits > 0) {
    const most = isMissingAtMost ? 'up to ' : '';
    const latest =
      missingCommits === 1 ? 'acknowledged commit is' : `${missingCommits} acknowledged commits are`;
    parts.push(`${most}the latest ${latest} missing or damaged`);
  }
  if (keptIn !== undefined) parts.push(`the old files are kept in ${keptIn}`);
  return parts.join('; ');
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
