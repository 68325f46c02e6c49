import type { AccessService } from '@tallybook/domain/access';
import { principalOf } from '../../access/principal-of.js';
import { requireRight } from '../../held-right.js';
import { emptyAnswer, type Handlers } from '../implement.js';

/** Sessions of browsers, and tokens of programs. */
export function credentialHandlers(
  access: AccessService,
): Handlers<'GET /api/credentials' | 'DELETE /api/credentials' | 'POST /api/tokens'> {
  return {
    'GET /api/credentials': ({ ctx, query }) => {
      const all = query.all === '1';
      if (all) requireRight(ctx, 'manage-access');
      const principal = principalOf(ctx);
      const found = access.credentials.list(principal, { all });
      return found.map((view) => ({ ...view, isCurrent: view.id === principal.credential }));
    },
    'DELETE /api/credentials': async ({ ctx, query: { id } }) => {
      if (!(await access.credentials.revoke(principalOf(ctx), id)))
        return ctx.throw(404, 'there is no session and no token of this id, or it is not yours');
      return emptyAnswer(204);
    },
    'POST /api/tokens': ({ ctx, body }) => access.credentials.createToken(principalOf(ctx), body),
  };
}
