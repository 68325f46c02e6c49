import type { ReaderMonitor, ReaderState } from '@tallybook/domain';
import { sendState } from '../../answers/representation.js';
import type { Route } from '../route.js';

/** `GET /api/readers`: the state of each reader. */
export function readerRoutes(readers: ReaderMonitor): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/readers',
      action: 'see-service',
      handle: (ctx) => sendState(ctx, readers.list().map(formatReader)),
    },
  ];
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
