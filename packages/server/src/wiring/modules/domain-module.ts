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
import { isSharedStore } from '../../config/stores.js';
import { fanOut } from '../fan-out.js';
import { hasConfiguredStores } from './configured-stores.js';
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
    const { correctedDays: days, mappingStore: mapping, provisionalStore: provisional } = services;
    const { erasureStore: erasures, calendar, timekeeper, indicators, indicator, stores } = services;
    const { store, repeatWindowMs, backlogLimit } = services.config;
    return new AttendanceService(
      {
        days,
        mapping,
        provisional,
        erasures,
        calendar,
        timekeeper,
        indicator: fanOut(indicator === undefined ? indicators : [...indicators, indicator]),
        ...(isSharedStore(store) && { journal: stores.journal }),
        // All scans of an app's store are its own.
        ...(hasConfiguredStores(services) && { tapTimes: stores.journal }),
      },
      {
        ...{ repeatWindowMs, backlogLimit },
        ...(isSharedStore(store) && { leaveProvisionalMs: LEAVE_PROVISIONAL_MS }),
      },
    );
  },
  readerMonitor: ({ timekeeper, idSources }) => new ReaderMonitor(timekeeper, idSources),
  names: ({ mappingStore }) => new NameService(mappingStore),
  unnamed: ({ correctedDays: days, mappingStore: mapping, calendar, timekeeper, journal }) =>
    new UnnamedTags({ days, mapping, calendar, timekeeper, journal }),
  tags: (services) => {
    const { idSources, secrets, correctedDays: days, mappingStore: mapping, journal } = services;
    const { correctionStore, provisionalStore } = services;
    const formats = idSources.map(({ idFormat = {} }) => idFormat);
    const typed = new TypedIds(formats, (text) => secrets.digest(text));
    return new TagFinder({
      ...{ typed, mapping, days, journal },
      mentioned: async () => {
        const corrections = await correctionStore.list(toDay(0), DAY_MAX);
        return [...corrections, ...(await provisionalStore.list())].map(({ id }) => id);
      },
      pause: () => endOfTurn(),
    });
  },
  ranges: ({ snapshots, mappingStore: mapping, correctedDays: days }) =>
    new RangeService(
      { snapshots: new CorrectedSnapshotSource(snapshots), mapping, days },
      { maxTags: getHeapStatistics().heap_size_limit / HEAP_OF_PERSON },
    ),
  corrections: ({
    correctedDays: days,
    correctionStore: corrections,
    erasureStore: erasures,
    calendar,
    timekeeper,
    auditTrail: audit,
    config: { approveCorrections: needsApproval },
  }) =>
    new CorrectionService({ days, corrections, erasures, calendar, timekeeper, audit }, { needsApproval }),
  backup: ({
    snapshots,
    mappingStore: mapping,
    dayStore: days,
    provisionalStore: provisional,
    correctionStore: corrections,
    erasureStore: erasures,
    timekeeper,
  }) => new BackupService({ snapshots, mapping, days, provisional, corrections, erasures, timekeeper }),
  erasures: ({ config, erasureStore: erasures, timekeeper, attendance, backup, auditTrail: audit }) =>
    new ErasureService({ erasures, timekeeper, attendance, audit, ...backupsOf(config, backup) }),
  retention: ({
    config,
    dayStore: days,
    provisionalStore: provisional,
    correctionStore: corrections,
    attendance,
    calendar,
    timekeeper,
    backup,
    auditTrail: audit,
  }) =>
    new RetentionService(
      {
        ...{ days, provisional, corrections, attendance, calendar, timekeeper, audit },
        ...backupsOf(config, backup),
      },
      config.keep,
    ),
});

function backupsOf({ backupFolder }: Config, backup: BackupService): { readonly backups?: BackupFolder } {
  return backupFolder === undefined ? {} : { backups: new BackupFolder(backupFolder, backup) };
}
