import type { AccessService, UserView } from '@tallybook/domain/access';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { sendEmpty, sendState } from '../../answers/representation.js';
import { Query } from '../../requests/query.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';

/** `/api/users`: who may sign in. */
export function userRoutes(access: AccessService): readonly Route[] {
  const list = (ctx: Koa.Context): void => sendState(ctx, access.users.list().map(formatUser));
  const put = async (ctx: Koa.Context): Promise<void> => {
    const { name, role, password, provider, subject, isNew, endTokens } = await readJsonObject(ctx);
    const choice = { name, role, password, provider, subject, isNew, endTokens };
    const outcome = await access.users.put(principalOf(ctx), choice);
    sendEmpty(ctx, outcome === 'added' ? 201 : 200);
  };
  const remove = async (ctx: Koa.Context): Promise<void> => {
    const name = new Query(ctx).text('name') ?? ctx.throw(400, 'name: must be given');
    if (!(await access.users.remove(principalOf(ctx), name)))
      return ctx.throw(404, 'there is no user of this name');
    ctx.status = 204;
  };
  return [
    { method: 'GET', path: '/api/users', action: 'manage-access', handle: list },
    { method: 'POST', path: '/api/users', action: 'manage-access', handle: put },
    { method: 'DELETE', path: '/api/users', action: 'manage-access', handle: remove },
  ];
}

function formatUser({ name, role, createdAt, hasPassword, identity }: UserView): object {
  const provider = identity && { subject: identity.subject ?? null, grantsRole: identity.isRoleGranted };
  return { name, role, createdAt, hasPassword, provider: provider ?? null };
}
