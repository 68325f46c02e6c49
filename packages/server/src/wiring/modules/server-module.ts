import type { ContainerModule } from 'inversify';
import type { Lifecycle, Tallybook } from '@tallybook/domain';
import { AuditKeeper } from '../../audit/audit-keeper.js';
import { ScheduledBackup } from '../../backup/scheduled-backup.js';
import { AttendanceLog } from '../../log/attendance-log.js';
import { ClockLog } from '../../log/clock-log.js';
import { OutputLog } from '../../log/output-log.js';
import { DataUpkeep } from '../data-upkeep.js';
import { moduleOf } from '../module-of.js';
import { TallybookServer } from '../tallybook-server.js';
import type { Services } from '../services.js';
import { UpstreamLink } from '../upstream-link.js';

type Phase = Parameters<Tallybook['attach']>[0];

/** The logs, and the whole server, which can be opened and closed. */
export const serverModule: ContainerModule = moduleOf({
  attendanceLog: ({ log, tallybook: { attendance }, idSources, clock }) =>
    new AttendanceLog(log, attendance, idSources, clock),
  outputLog: ({ log, indicators, publishers, clock }) =>
    new OutputLog(log, [...indicators, ...publishers], clock),
  auditKeeper: ({ tallybook: { audit: trail }, timekeeper, log, repairs, config: { auditDays } }) =>
    new AuditKeeper({ trail, timekeeper, log, repairs }, auditDays),
  clockLog: ({ log, timekeeper }) => new ClockLog(log, timekeeper),
  scheduledBackup: ({ config, tallybook: { backup }, timekeeper, log }) => {
    const { backupFolder: folder, backupEveryMs: everyMs, backupKeep: keep } = config;
    const plan = folder === undefined ? undefined : { folder, everyMs, keep };
    return new ScheduledBackup(plan, backup, timekeeper, log);
  },
  dataUpkeep: ({ tallybook: { personal, retention }, clock, log }) =>
    new DataUpkeep({ erasures: personal?.erasures, retention, clock, log }),
  upstream: ({ config, timekeeper, log }) => {
    const { upstream: url, upstreamTokenFile: tokenFile, isUpstreamInsecure: allowsPlainHttp } = config;
    const plan =
      url === undefined || tokenFile === undefined ? undefined : { url, tokenFile, allowsPlainHttp };
    return new UpstreamLink(plan, { timekeeper, log });
  },
  server: (services) => {
    let isAttached = false;
    return new TallybookServer(
      {
        certificate: services.certificate,
        clock: services.systemClock,
        store: services.storage,
        storeWaits: services.storesWait.promise,
      },
      () => {
        const { tallybook, listener, log } = services;
        if (tallybook.lacking !== undefined) log.warn(tallybook.lacking);
        if (!isAttached) attachParts(services);
        isAttached = true;
        return { tallybook, listener };
      },
      (err) =>
        services.log.error({ err }, 'a part of the service could not be closed after a start that failed'),
    );
  },
});

/** The parts of the server, in the order in which they are opened. */
function attachParts(services: Services): void {
  const { tallybook } = services;
  const parts: Readonly<Record<Phase, readonly Lifecycle[]>> = {
    services: [
      services.recordPlace,
      services.systemClock,
      services.status,
      services.metrics,
      services.auditKeeper,
      services.setupCodeFile,
      services.certificate,
    ],
    listeners: [
      services.listener,
      services.events,
      services.controlSocket,
      services.attendanceLog,
      services.outputLog,
      services.upstream,
    ],
    // Opened after all parts that may make the start fail, because an indicator shows that the service is open.
    outputs: [],
    attendance: [services.clockLog, services.scheduledBackup, services.dataUpkeep, services.health],
  };
  for (const phase of Object.keys(parts) as Phase[]) {
    for (const part of parts[phase]) tallybook.attach(phase, part);
  }
}
