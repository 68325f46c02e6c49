import type { AccessService } from '@tallybook/domain/access';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { Query } from '../../requests/query.js';
import { emptyAnswer, type Handlers } from '../implement.js';

/** Sessions of browsers, and tokens of programs. */
export function credentialHandlers(
  access: AccessService,
): Handlers<'GET /api/credentials' | 'DELETE /api/credentials' | 'POST /api/tokens'> {
  return {
    'GET /api/credentials': {
      choose: ownOrAll,
      handle: ({ ctx, query }) => {
        const { credential } = principalOf(ctx);
        const found = access.credentials.list(principalOf(ctx), { all: query.all === '1' });
        return found.map((view) => ({ ...view, isCurrent: view.id === credential }));
      },
    },
    'DELETE /api/credentials': async ({ ctx, query: { id } }) => {
      if (!(await access.credentials.revoke(principalOf(ctx), id)))
        return ctx.throw(404, 'there is no session and no token of this id, or it is not yours');
      return emptyAnswer(204);
    },
    'POST /api/tokens': ({ ctx, body }) => access.credentials.createToken(principalOf(ctx), body),
  };
}

/** Those of everybody need another right than the own ones. */
export function ownOrAll(ctx: Koa.Context): 'signed-in' | 'manage-access' {
  return new Query(ctx).text('all') === undefined ? 'signed-in' : 'manage-access';
}
