import { setImmediate as endOfTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { ContainerModule } from 'inversify';
import {
  AttendanceService,
  Calendar,
  DAY_MAX,
  NameService,
  ReaderMonitor,
  Timekeeper,
  toDay,
} from '@tallybook/domain';
import {
  BackupService,
  CorrectedSnapshotSource,
  CorrectionService,
  RangeService,
  TagFinder,
  TypedIds,
  UnnamedTags,
} from '@tallybook/domain/record';
import { ErasureService, RetentionService } from '@tallybook/domain/personal';
import { BackupFolder } from '../../backup/backup-folder.js';
import type { Config } from '../../config/config.js';
import { RELEASED_AT } from '../../config/released-at.js';
import { fanOut } from '../fan-out.js';
import { moduleOf } from '../module-of.js';

/**
 * Time in milliseconds for which provisional scans are left to the server that took them. A time server answers sooner
 * than that.
 */
const LEAVE_PROVISIONAL_MS = 900_000;

/**
 * Bytes of heap for each tag in a table. A row takes 300. The rest is for others: two files, a table and a day may be read at a
 * time.
 */
export const HEAP_OF_PERSON = 2_000;

/** The use cases of the domain. */
export const domainModule: ContainerModule = moduleOf({
  calendar: ({ config }) => new Calendar(config),
  timekeeper: ({ clock }) => new Timekeeper(clock, { builtAt: RELEASED_AT }),
  attendance: (services) => {
    const { shownDays: days, calendar, timekeeper, indicators, indicator } = services;
    const { provisional, erasures, journal, isShared = false, isJournalVolatile = false } = services.storage;
    const { mapping } = services.edited;
    const { repeatWindowMs, backlogLimit } = services.config;
    return new AttendanceService(
      {
        days,
        mapping,
        ...(provisional && { provisional }),
        ...(erasures && { erasures }),
        calendar,
        timekeeper,
        indicator: fanOut(indicator === undefined ? indicators : [...indicators, indicator]),
        ...(isShared && { journal }),
        // Otherwise all scans count as own ones.
        ...(!isJournalVolatile && { tapTimes: journal }),
      },
      {
        ...{ repeatWindowMs, backlogLimit },
        ...(isShared && { leaveProvisionalMs: LEAVE_PROVISIONAL_MS }),
      },
    );
  },
  readerMonitor: ({ timekeeper, idSources }) => new ReaderMonitor(timekeeper, idSources),
  names: ({ edited }) => new NameService(edited.mapping),
  unnamed: ({ shownDays: days, edited: { mapping }, calendar, timekeeper, storage: { journal } }) =>
    new UnnamedTags({ days, mapping, calendar, timekeeper, journal }),
  tags: (services) => {
    const { idSources, secrets, shownDays: days } = services;
    const { mapping, corrections, provisional, journal } = services.storage;
    const formats = idSources.map(({ idFormat = {} }) => idFormat);
    const typed = new TypedIds(formats, (text) => secrets.digest(text));
    return new TagFinder({
      ...{ typed, mapping, days, journal },
      mentioned: async () => {
        const corrected = (await corrections?.list(toDay(0), DAY_MAX)) ?? [];
        return [...corrected, ...((await provisional?.list()) ?? [])].map(({ id }) => id);
      },
      pause: () => endOfTurn(),
    });
  },
  ranges: ({ storage: { snapshots, mapping }, shownDays: days }) =>
    new RangeService(
      { snapshots: new CorrectedSnapshotSource(snapshots), mapping, days },
      { maxTags: getHeapStatistics().heap_size_limit / HEAP_OF_PERSON },
    ),
  corrections: (services) => {
    const { correctedDays: days, calendar, timekeeper, auditTrail: audit, config } = services;
    const { corrections } = services.edited;
    const { erasures } = services.storage;
    if (days === undefined || corrections === undefined) return undefined;
    return new CorrectionService(
      { days, corrections, ...(erasures && { erasures }), calendar, timekeeper, audit },
      { needsApproval: config.approveCorrections },
    );
  },
  backup: ({ storage, edited: { mapping, corrections }, timekeeper }) => {
    const { snapshots, days, provisional, erasures } = storage;
    return new BackupService({
      ...{ snapshots, mapping, days, timekeeper },
      ...(provisional && { provisional }),
      ...(corrections && { corrections }),
      ...(erasures && { erasures }),
    });
  },
  erasures: ({ config, storage: { erasures }, timekeeper, attendance, backup, auditTrail: audit }) =>
    erasures && new ErasureService({ erasures, timekeeper, attendance, audit, ...backupsOf(config, backup) }),
  retention: ({ config, storage, attendance, calendar, timekeeper, backup, auditTrail: audit }) => {
    const { days, provisional, corrections } = storage;
    return new RetentionService(
      {
        ...{ days, attendance, calendar, timekeeper, audit },
        ...(provisional && { provisional }),
        ...(corrections && { corrections }),
        ...backupsOf(config, backup),
      },
      config.keep,
    );
  },
});

function backupsOf({ backupFolder }: Config, backup: BackupService): { readonly backups?: BackupFolder } {
  return backupFolder === undefined ? {} : { backups: new BackupFolder(backupFolder, backup) };
}
