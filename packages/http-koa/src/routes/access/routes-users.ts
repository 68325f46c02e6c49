import type { AccessService } from '@tallybook/domain/access';
import { principalOf } from '../../access/principal-of.js';
import { emptyAnswer, type Handlers } from '../implement.js';

/** Who may sign in. */
export function userHandlers(
  access: AccessService,
): Handlers<'GET /api/users' | 'POST /api/users' | 'DELETE /api/users'> {
  return {
    'GET /api/users': () =>
      access.users.list().map(({ identity, ...user }) => ({
        ...user,
        provider: identity && { subject: identity.subject, grantsRole: identity.isRoleGranted },
      })),
    'POST /api/users': async ({ ctx, body }) =>
      (await access.users.put(principalOf(ctx), body)) === 'added' ? emptyAnswer(201) : emptyAnswer(200),
    'DELETE /api/users': async ({ ctx, query: { name } }) => {
      if (!(await access.users.remove(principalOf(ctx), name)))
        return ctx.throw(404, 'there is no user of this name');
      return emptyAnswer(204);
    },
  };
}
