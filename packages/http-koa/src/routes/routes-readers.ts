import type Router from '@koa/router';
import type { ReaderMonitor, ReaderState } from '@tallybook/domain';
import { sendState } from '../answers/representation.js';

/** `GET /api/readers`: how the readers fare. */
export function addReaderRoutes(router: Router, readers: ReaderMonitor): void {
  router.get('/api/readers', (ctx) => {
    sendState(ctx, readers.list().map(formatReader));
  });
}

function formatReader(state: ReaderState): object {
  const { name, kind, connection, since, faultySince, lastReading, faults, lastFault } = state;
  return {
    name,
    kind: kind ?? null,
    connection,
    since,
    faultySince: faultySince ?? null,
    lastReading: lastReading ?? null,
    faults,
    lastFault: lastFault ?? null,
  };
}
