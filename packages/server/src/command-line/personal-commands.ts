import { once } from 'node:events';
import { SystemClock } from '@tallybook/clock-system';
import {
  AttendanceService,
  BackupService,
  Calendar,
  ErasureService,
  formatDay,
  formatKeep,
  isTallybookError,
  learnLatestScan,
  openAll,
  parseTallyId,
  personData,
  RetentionService,
  TallybookError,
  Timekeeper,
  type ErasureReport,
  type RetentionReport,
} from '@tallybook/domain';
import { BackupFolder } from '../backup/backup-folder.js';
import type { Config } from '../config/config.js';
import { RELEASED_AT } from '../config/released-at.js';
import { createStores, removesNothing, requireStore, type Stores } from '../config/stores.js';

/** Who runs a command, for the audit trail. */
const ACTOR = 'console';
/** So many days are named; of more it is said how many. */
const DAYS_SHOWN = 20;

/** What of the configuration these commands go by. */
export type PersonalConfig = Pick<Config, 'store' | 'clock' | 'zone' | 'dayStart' | 'keep' | 'backupFolder'>;

interface Parts {
  readonly stores: Stores;
  readonly timekeeper: Timekeeper;
  readonly calendar: Calendar;
  readonly attendance: AttendanceService;
  readonly backups: BackupFolder | undefined;
}

/** `tallybook erase`: erases persons by their tags. Resolves with what it says about it. */
export async function erase(
  config: PersonalConfig,
  texts: readonly string[],
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<readonly string[]> {
  const ids = texts.map((text) => parseTallyId(text));
  return withParts(config, '/api/erasures', async ({ stores, timekeeper, backups }) => {
    const { erasures } = stores;
    const service = new ErasureService({ erasures, timekeeper, ...(backups && { backups }) });
    return describeErasure(await service.erase(ids, { isDryRun, actor: ACTOR }), config.backupFolder);
  });
}

/** `tallybook person`: writes everything that is kept of a tag to standard output. */
export async function person(config: PersonalConfig, text: string): Promise<void> {
  const id = parseTallyId(text);
  await withParts(config, '/api/person/data', async ({ stores: { erasures }, timekeeper }) => {
    const madeAt = timekeeper.trust().isTrusted ? timekeeper.now() : undefined;
    for await (const piece of personData(id, madeAt, { erasures })) {
      if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
    }
  });
}

/** `tallybook retention`: removes what was kept long enough. Resolves with what it says about it. */
export async function retention(
  config: PersonalConfig,
  { isDryRun, isConfirmed }: { readonly isDryRun: boolean; readonly isConfirmed: boolean },
): Promise<readonly string[]> {
  return withParts(
    config,
    '/api/retention',
    async ({ stores, timekeeper, calendar, attendance, backups }) => {
      const { days, provisional } = stores;
      const service = new RetentionService(
        { days, provisional, attendance, calendar, timekeeper, ...(backups && { backups }) },
        config.keep,
      );
      const report = isDryRun ? await service.plan() : await service.apply({ isConfirmed, actor: ACTOR });
      return describeRetention(report);
    },
  );
}

async function withParts<T>(
  config: PersonalConfig,
  path: string,
  work: (parts: Parts) => Promise<T>,
): Promise<T> {
  const { store, clock, backupFolder } = config;
  await requireStore(store);
  const stores = createStores(store, removesNothing);
  const { mapping, days, provisional, erasures, snapshots } = stores;
  const systemClock = new SystemClock({ isTrusted: clock === 'trusted' });
  const timekeeper = new Timekeeper(systemClock, { builtAt: RELEASED_AT });
  const calendar = new Calendar(config);
  const opened = await openAll([systemClock, mapping, days, provisional, erasures]).catch(
    (error: unknown) => {
      throw isTallybookError(error, 'STORE_LOCKED') ? explained(error, path) : error;
    },
  );
  try {
    await learnLatestScan({ days, calendar, timekeeper });
    // It is not opened, because it would file scans that wait; what it removes, it removes all the same.
    const attendance = new AttendanceService({ days, mapping, provisional, erasures, calendar, timekeeper });
    const backup = new BackupService({ snapshots, mapping, days, provisional, erasures });
    const backups = backupFolder === undefined ? undefined : new BackupFolder(backupFolder, backup);
    return await work({ stores, timekeeper, calendar, attendance, backups });
  } finally {
    await opened.close();
  }
}

function explained(locked: TallybookError, path: string): TallybookError {
  const message = `${locked.message}; or ask the running server: ${path}`;
  return new TallybookError('STORE_LOCKED', message, { cause: locked, details: locked.details });
}

function describeErasure(report: ErasureReport, backupFolder: string | undefined): readonly string[] {
  const { isDryRun, tags, backupsWithIt, formerFiles, isScrubbed } = report;
  const lines = tags.map(({ id, hasName, days, scans, provisional, changes }) => {
    const parts = [
      hasName ? 'a name' : 'no name',
      `${days} days with ${scans} known scans`,
      `${provisional} scans that wait`,
      `${changes} changes in the journal`,
    ];
    return `${id}: ${isDryRun ? 'would erase' : 'erased'} ${parts.join(', ')}`;
  });
  if (!isDryRun) {
    lines.push(
      isScrubbed
        ? 'no file of the store holds it any more'
        : 'files of the store may still hold it: run the server, or this again',
    );
  }
  if (backupFolder === undefined) {
    lines.push(
      'backups were not searched: name their folder with --backup, and look at those elsewhere yourself',
    );
  } else if (backupsWithIt.length === 0) lines.push(`no backup in ${backupFolder} holds it`);
  for (const name of backupsWithIt) lines.push(`still in the backup ${name}`);
  for (const name of formerFiles)
    lines.push(`may still be in ${name}, files of the store from before a repair`);
  return lines;
}

function describeRetention({
  isDryRun,
  keep,
  firstKept,
  days,
  backups,
  doubt,
}: RetentionReport): readonly string[] {
  if (keep === undefined || firstKept === undefined) return ['all days are kept: --keep is not set'];
  const verb = isDryRun ? 'would go' : 'went';
  const entries = days.reduce((sum, day) => sum + day.entries, 0);
  const lines = [
    `${days.length} days with ${entries} entries ${verb}: those before ${formatDay(firstKept)} (${formatKeep(keep)})`,
    ...days.slice(0, DAYS_SHOWN).map((each) => `  ${formatDay(each.day)}: ${each.entries} entries`),
  ];
  if (days.length > DAYS_SHOWN) lines.push(`  and ${days.length - DAYS_SHOWN} more`);
  for (const name of backups) lines.push(`the backup ${name} ${verb}`);
  if (doubt !== undefined && isDryRun) lines.push(`they do not go by themselves: ${doubt}`);
  return lines;
}
