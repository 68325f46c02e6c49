import { requireStill } from '../../held-right.js';
import type { Handlers } from '../implement.js';

/** Guests. Nothing adds them yet. */
export function guestHandlers(): Handlers<'POST /api/guest'> {
  return {
    'POST /api/guest': ({ ctx }) => {
      requireStill(ctx);
      return ctx.throw(404, 'Not offered here: guests cannot be added yet');
    },
  };
}
