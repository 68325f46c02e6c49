import type { ReaderMonitor, ReaderState } from '@tallybook/domain';
import { authorise } from '@tallybook/domain/access';
import { principalOf } from '../../access/principal-of.js';
import { sendState } from '../../answers/representation.js';
import type { Route } from '../route.js';

/**
 * `GET /api/readers`: the state of each reader. Who sees only today learns which readers are missing: nobody can tap there.
 */
export function readerRoutes(readers: ReaderMonitor): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/readers',
      action: 'see-today',
      handle: (ctx) => {
        const format = authorise(principalOf(ctx).role, 'see-service') ? formatReader : formatBriefly;
        sendState(ctx, readers.list().map(format));
      },
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

/** The state without taps and faults. */
function formatBriefly({ name, kind, connection, since }: ReaderState): object {
  const hidden = { faultySince: undefined, lastReading: undefined, faults: {}, lastFault: undefined };
  return formatReader({ name, kind, connection, since, ...hidden });
}
