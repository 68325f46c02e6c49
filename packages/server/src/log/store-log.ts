import { counted, isPermanentFailure } from '@tallybook/domain';
import type { RepairReport } from '@tallybook/store-level';
import type { StoreNotice } from '../config/stores.js';
import type { DamageReaction } from '../config/settings.js';
import type { Log } from './log.js';

/** Logs the notices of a store. */
export function logStoreNotices(log: Log, onDamage: DamageReaction): (notice: StoreNotice) => void {
  return (notice) => {
    const { path } = notice;
    switch (notice.kind) {
      case 'created':
        log.info(
          { path },
          `created a new, empty store at ${path}. This is normal at the first start. If there was a store, check that its disk is mounted, or the name of its site`,
        );
        break;
      case 'repairing':
        log.warn({ path }, `the store is damaged: ${notice.reason}; repairing it may take a minute`);
        break;
      case 'repaired':
        log.error(
          { path, ...notice.report },
          `the damaged store is repaired: ${summarize(notice.report)}; now import the last backup`,
        );
        break;
      case 'migrating':
        log.info(
          { path, format: notice.format },
          `bringing the store to storage format ${notice.format}; this may take a minute. It is copied first, to go back with tallybook rollback within 14 days`,
        );
        break;
      case 'damaged':
        log.error(
          { path, err: notice.error },
          `${notice.error.message}; the service goes on with the sound rows, and ${next(onDamage, notice.isMarked)}`,
        );
        break;
      case 'unwritable':
        log.error(
          { path, err: notice.error },
          isPermanentFailure(notice.error)
            ? `${notice.error.message}. Until then names and days can be read. Scans in memory are lost when the service stops: it lists them then`
            : `the disk of ${path} is full; free some space. Until then names and days can be read, and scans are kept in memory`,
        );
        break;
      case 'writable':
        log.info({ path }, `the disk of ${path} accepts writes again`);
        break;
      case 'unsafe':
        if (notice.settings.length === 0)
          log.info({ path }, `the database of ${path} is safe from power cuts again`);
        else log.warn({ path, settings: notice.settings }, unsafeWords(notice.settings));
        break;
      case 'lost-commits':
        log.error(
          { path, acknowledged: notice.acknowledged, found: notice.found },
          `${path}: ${lostCommitsWords}; its revision was ${notice.acknowledged} at the last acknowledged write, and is ${notice.found} now`,
        );
        break;
      case 'unknown-end':
        log.warn({ path }, `${path}: ${unknownEndWords}`);
        break;
      case 'unguarded':
        log.warn({ path, file: notice.file }, `${path}: ${unguardedWords(notice.file)}`);
        break;
      case 'unchecked':
        log.error({ path, err: notice.error }, notice.error.message);
        break;
    }
  };
}

/** Message about unsafe settings of a database. */
export function unsafeWords(settings: readonly string[]): string {
  return `the database has ${settings.join(' and ')} off: a power cut can damage it, and lose taps that were acknowledged; set it on`;
}

export const lostCommitsWords =
  'the database has lost acknowledged writes, as after a failover to a standby that was behind: the latest taps, names and users may be missing';

export const unknownEndWords =
  'the files ACKNOWLEDGED and ACKNOWLEDGED-2 are lost, so the latest writes may be missing, and nobody can tell; look whether the latest taps are there';

/** Message about one of these files that cannot be written. */
export function unguardedWords(file: string): string {
  return `its file ${file} cannot be written: if the other one of the two is lost too, lost writes stay unnoticed; stop the service, move ${file} away, and start it again`;
}

/** The reaction of the next start to the damage. */
function next(onDamage: DamageReaction, isMarked: boolean): string {
  if (!isMarked) return 'the damage could not be noted in its folder, so the next start has to find it again';
  return onDamage === 'repair' ? 'the next start repairs the store' : 'the next start refuses the store';
}

/** Saved and lost data of a repair, as one line for people. */
export function summarize(report: RepairReport): string {
  const { saved, rescuedRows, damagedRows, lostChanges, brokenBlocks } = report;
  const { missingCommits, isMissingAtMost, keptIn } = report;
  const parts = [`saved ${describe(saved)}`];
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

/** Lists names, days, entries and provisional scans always, other data only if there is some. */
function describe(saved: RepairReport['saved']): string {
  const { names, days, entries, corrections, provisional, users, credentials, auditEntries } = saved;
  const { persons, timelines, receipts, stations } = saved;
  const ifAny = (count: number, text: string): readonly string[] => (count > 0 ? [text] : []);
  const kept = [
    counted(names, 'name'),
    ...ifAny(persons, counted(persons, 'person')),
    ...ifAny(timelines, counted(timelines, 'timeline of a tag', 'timelines of tags')),
    counted(days, 'day'),
    counted(entries, 'entry', 'entries'),
    ...ifAny(corrections, counted(corrections, 'correction')),
    counted(provisional, 'provisional scan'),
    ...ifAny(users, counted(users, 'user')),
    ...ifAny(credentials, counted(credentials, 'session or token', 'sessions and tokens')),
    ...ifAny(auditEntries, counted(auditEntries, 'entry of the audit trail', 'entries of the audit trail')),
    ...ifAny(receipts, `the taken numbers of ${counted(receipts, 'device')}`),
    ...ifAny(stations, counted(stations, 'station')),
  ];
  return `${kept.slice(0, -1).join(', ')} and ${kept.at(-1)}`;
}
