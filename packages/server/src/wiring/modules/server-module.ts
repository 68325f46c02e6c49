import type { ContainerModule } from 'inversify';
import { AuditKeeper } from '../../audit/audit-keeper.js';
import { ScheduledBackup } from '../../backup/scheduled-backup.js';
import { AttendanceLog } from '../../log/attendance-log.js';
import { ClockLog } from '../../log/clock-log.js';
import { OutputLog } from '../../log/output-log.js';
import { DataUpkeep } from '../data-upkeep.js';
import { describeLacking } from '../lacking.js';
import { moduleOf } from '../module-of.js';
import { TallybookServer } from '../tallybook-server.js';
import { partsOf } from './opening-order.js';

/** The logs, and the whole server, which can be opened and closed. */
export const serverModule: ContainerModule = moduleOf({
  attendanceLog: ({ log, attendance, idSources, clock }) =>
    new AttendanceLog(log, attendance, idSources, clock),
  outputLog: ({ log, indicators, publishers, clock }) =>
    new OutputLog(log, [...indicators, ...publishers], clock),
  auditKeeper: ({ auditTrail: trail, timekeeper, log, repairs, config: { auditDays } }) =>
    new AuditKeeper({ trail, timekeeper, log, repairs }, auditDays),
  clockLog: ({ log, timekeeper }) => new ClockLog(log, timekeeper),
  scheduledBackup: ({ config, backup, timekeeper, log }) => {
    const { backupFolder: folder, backupEveryMs: everyMs, backupKeep: keep } = config;
    const plan = folder === undefined ? undefined : { folder, everyMs, keep };
    return new ScheduledBackup(plan, backup, timekeeper, log);
  },
  dataUpkeep: ({ erasures, retention, clock, log }) => new DataUpkeep({ erasures, retention, clock, log }),
  server: (services) =>
    new TallybookServer(
      {
        certificate: services.certificate,
        clock: services.systemClock,
        store: services.storage,
        storeWaits: services.storesWait.promise,
      },
      () => {
        const lacking = describeLacking(services.storage);
        if (lacking !== undefined) services.log.warn(lacking);
        return partsOf(services);
      },
      (err) =>
        services.log.error({ err }, 'a part of the service could not be closed after a start that failed'),
    ),
});
