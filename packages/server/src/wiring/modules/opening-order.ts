import type { Services } from '../services.js';
import type { ServerParts } from '../tallybook-server.js';

/** The parts of the service in the order in which they are opened. */
export function partsOf(services: Services): ServerParts {
  return {
    listener: services.listener,
    sources: services.idSources,
    attendance: services.attendance,
    parts: [
      services.storage,
      services.recordPlace,
      services.systemClock,
      services.readerMonitor,
      services.status,
      services.metrics,
      services.access,
      services.auditKeeper,
      services.setupCodeFile,
      services.certificate,
      services.listener,
      services.events,
      // Closed before the listener, which waits for requests that wait for changes.
      ...(services.centreSync === undefined ? [] : [services.centreSync]),
      services.controlSocket,
      services.attendanceLog,
      services.outputLog,
      // Opened after all parts that may make the start fail, because an indicator shows that the service is open.
      // Opened before the attendance service, and closed after it, because that service files and announces scans as
      // long as it is open.
      services.outputs,
      services.attendance,
      services.upstream,
      services.clockLog,
      services.readers,
      services.scheduledBackup,
      services.dataUpkeep,
      services.health,
    ],
  };
}
