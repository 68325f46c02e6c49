import { formatDay, type ErasureReport, type RetentionReport } from '@tallybook/domain';

/** So many days are named; of more it is said how many. */
const DAYS_SHOWN = 20;

/** A report with the setting as it is written. */
export type ToldRetention = Omit<RetentionReport, 'keep'> & { readonly keep: string | undefined };

/**
 * What `tallybook erase` says.
 *
 * @param searched Which backups were searched: `in FOLDER`; `undefined` if none were.
 * @param isInDatabase Whether the store is in a database, whose files are not those of this program.
 */
export function describeErasure(
  report: ErasureReport,
  searched: string | undefined,
  isInDatabase = false,
): readonly string[] {
  const { isDryRun, tags, backupsWithIt, formerFiles, isScrubbed } = report;
  const lines = tags.map(({ id, hasName, days, scans, provisional, corrections, changes }) => {
    const parts = [
      hasName ? 'a name' : 'no name',
      `${days} days with ${scans} known scans`,
      `${provisional} scans that wait`,
      `${corrections} corrections`,
      `${changes} changes in the journal`,
    ];
    return `${id}: ${isDryRun ? 'would erase' : 'erased'} ${parts.join(', ')}`;
  });
  if (!isDryRun && isInDatabase) {
    lines.push(
      'no table holds it any more; files of the database, its log and its backups do until they are written over',
    );
  } else if (!isDryRun) {
    lines.push(
      isScrubbed
        ? 'no file of the store holds it any more'
        : 'files of the store may still hold it: run the server, or this again',
    );
  }
  if (searched === undefined) {
    lines.push(
      'backups were not searched: name their folder with --backup, and look at those elsewhere yourself',
    );
  } else if (backupsWithIt.length === 0) lines.push(`no backup ${searched} holds it`);
  for (const name of backupsWithIt) lines.push(`still in the backup ${name}`);
  for (const name of formerFiles)
    lines.push(`may still be in ${name}, files of the store from before a repair`);
  return lines;
}

/** What `tallybook retention` says. */
export function describeRetention({
  isDryRun,
  keep,
  firstKept,
  days,
  backups,
  doubt,
}: ToldRetention): readonly string[] {
  if (keep === undefined || firstKept === undefined) return ['all days are kept: --keep is not set'];
  const verb = isDryRun ? 'would go' : 'went';
  const entries = days.reduce((sum, day) => sum + day.entries, 0);
  const lines = [
    `${days.length} days with ${entries} entries ${verb}: those before ${formatDay(firstKept)} (${keep})`,
    ...days.slice(0, DAYS_SHOWN).map((each) => `  ${formatDay(each.day)}: ${each.entries} entries`),
  ];
  if (days.length > DAYS_SHOWN) lines.push(`  and ${days.length - DAYS_SHOWN} more`);
  for (const name of backups) lines.push(`the backup ${name} ${verb}`);
  if (doubt !== undefined && isDryRun) lines.push(`they do not go by themselves: ${doubt}`);
  return lines;
}
