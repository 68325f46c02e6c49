import type { ReaderMonitor, ReaderState } from '@tallybook/domain';
import { mayDo } from '@tallybook/domain/access';
import { principalOf } from '../../access/principal-of.js';
import type { Handlers } from '../implement.js';

/** The state of each reader. Who sees only today learns which readers are missing: nobody can tap there. */
export function readerHandlers(readers: ReaderMonitor): Handlers<'GET /api/readers'> {
  return {
    'GET /api/readers': ({ ctx }) => {
      const seesAll = mayDo(principalOf(ctx), 'see-service');
      return readers.list().map((state) => (seesAll ? state : briefly(state)));
    },
  };
}

/** The state without taps and faults. */
function briefly({ name, kind, connection, since }: ReaderState): ReaderState {
  const hidden = { faultySince: undefined, lastReading: undefined, faults: {}, lastFault: undefined };
  return { name, kind, connection, since, ...hidden };
}
