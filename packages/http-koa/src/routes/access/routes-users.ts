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
        groups: [],
        provider: identity && { subject: identity.subject, grantsRole: identity.isRoleGranted },
      })),
    'POST /api/users': async ({ ctx, body: { groups = [], ...body } }) => {
      // Until users are bound to groups, nobody may believe that one is.
      if (!Array.isArray(groups) || groups.length > 0)
        return ctx.throw(400, 'groups: must be an empty list if it is given');
      return (await access.users.put(principalOf(ctx), body)) === 'added'
        ? emptyAnswer(201)
        : emptyAnswer(200);
    },
    'DELETE /api/users': async ({ ctx, query: { name } }) => {
      if (!(await access.users.remove(principalOf(ctx), name)))
        return ctx.throw(404, 'there is no user of this name');
      return emptyAnswer(204);
    },
  };
}
