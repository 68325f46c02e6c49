import { TallybookError } from '@tallybook/domain';
import { principalOf } from '../../access/principal-of.js';
import { requireStill } from '../../held-right.js';
import type { Services } from '../../app-services.js';
import { emptyAnswer, type Handlers } from '../implement.js';

/** Guests who have just come, and others without a tag. */
export function guestHandlers({
  guests,
  directory,
  audit,
}: Services<'guests' | 'directory', 'audit'>): Handlers<'POST /api/guest' | 'POST /api/person/here'> {
  return {
    'POST /api/guest': async ({ ctx, body: { name, host, reason, badge, at } }) => {
      if (at !== undefined && badge === undefined)
        ctx.throw(400, 'at: it is the second of the tap that showed the badge; leave it out without a badge');
      requireStill(ctx);
      const id = await guests.add({ name, host, reason, badge, at });
      await audit?.note(principalOf(ctx).name, 'person-added');
      const guest = await directory.person(id);
      if (guest === undefined) throw new TallybookError('PERSON_NOT_FOUND', 'the guest was erased meanwhile');
      ctx.status = 201;
      return guest;
    },
    'POST /api/person/here': async ({ ctx, body: { id } }) => {
      requireStill(ctx);
      await guests.isHere(id);
      return emptyAnswer(204);
    },
  };
}
