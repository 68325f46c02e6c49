import type { Services } from '../services.js';
import type { ServerParts } from '../tallybook-server.js';
import { isCentre } from './configured-stores.js';

/** The parts of the service in the order in which they are opened. */
export function partsOf(services: Services): ServerParts {
  return {
    listener: services.listener,
    sources: services.idSources,
    attendance: services.attendance,
    parts: [
      services.mappingStore,
      services.dayStore,
      services.provisionalStore,
      // It finishes what a power cut has interrupted, so before anything is read.
      services.erasureStore,
      services.correctionStore,
      services.correctedDays,
      services.journal,
      services.nameClock,
      services.stampedNames,
      services.stationStore,
      services.accessStore,
      services.auditStore,
      services.receiptStore,
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
      // Closed before the listener, which waits for those who wait for changes.
      ...(isCentre(services) ? [services.centreSync] : []),
      services.controlSocket,
      services.attendanceLog,
      services.outputLog,
      // After what may keep the server from starting, since an indicator shows that it is open. Before the
      // attendance service, which files and announces scans as soon as it is open, and until it is closed.
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
