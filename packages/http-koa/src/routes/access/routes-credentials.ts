import type { AccessService, CredentialView } from '@tallybook/domain/access';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { sendState } from '../../answers/representation.js';
import { choice, Query } from '../../requests/query.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';

/** `/api/credentials` and `/api/tokens`: sessions of browsers, and tokens of programs. */
export function credentialRoutes(access: AccessService): readonly Route[] {
  const areAll = (ctx: Koa.Context): boolean => choice(ctx, new Query(ctx), 'all', ['1']) === '1';
  const list = (ctx: Koa.Context): void => {
    const { credential } = principalOf(ctx);
    const found = access.credentials.list(principalOf(ctx), { all: areAll(ctx) });
    sendState(
      ctx,
      found.map((view) => ({ ...formatCredential(view), isCurrent: view.id === credential })),
    );
  };
  const revoke = async (ctx: Koa.Context): Promise<void> => {
    const id = new Query(ctx).text('id') ?? ctx.throw(400, 'id: must be given');
    if (!(await access.credentials.revoke(principalOf(ctx), id))) {
      return ctx.throw(404, 'there is no session and no token of this id, or it is not yours');
    }
    ctx.status = 204;
  };
  const createToken = async (ctx: Koa.Context): Promise<void> => {
    const { label, role, days } = await readJsonObject(ctx);
    sendState(ctx, await access.credentials.createToken(principalOf(ctx), { label, role, days }));
    ctx.status = 201;
  };
  return [
    {
      method: 'GET',
      path: '/api/credentials',
      action: (ctx) => (new Query(ctx).text('all') === undefined ? 'signed-in' : 'manage-access'),
      actions: ['signed-in', 'manage-access'],
      handle: list,
    },
    { method: 'DELETE', path: '/api/credentials', action: 'signed-in', handle: revoke },
    { method: 'POST', path: '/api/tokens', action: 'manage-access', handle: createToken },
  ];
}

function formatCredential({
  id,
  kind,
  role,
  user,
  label,
  createdAt,
  expiresAt,
  lastUsed,
}: CredentialView): object {
  return {
    ...{ id, kind, role, label, createdAt },
    user: user ?? null,
    expiresAt: expiresAt ?? null,
    lastUsed: lastUsed ?? null,
  };
}
