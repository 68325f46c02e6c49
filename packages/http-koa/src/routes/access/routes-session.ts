import { TallybookError } from '@tallybook/domain';
import { actionsOf, anyone, type Origin, type Principal } from '@tallybook/domain/access';
import type Koa from 'koa';
import type { Admission } from '../../access/admission.js';
import { browserOf } from '../../access/browser-of.js';
import { passkeyPlaceOf } from '../../access/passkey-place.js';
import { principalOf } from '../../access/principal-of.js';
import { readBrowserCookie, setBrowserCookie, setSessionCookie } from '../../access/session-cookie.js';
import { sendEmpty, sendState } from '../../answers/representation.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';
import { providerRoutes, type SessionStart } from './routes-provider.js';
import { passkeySignInRoutes } from './routes-passkey-sign-in.js';

/** `/api/session`, `/api/setup` and `/api/password`: signing in and out, the first user, and passwords. */
export function sessionRoutes(admission: Admission): readonly Route[] {
  const { access, connections, authenticator, isInsecure } = admission;

  const originOf = ({ req }: Koa.Context): Origin => {
    const transport = connections.transportOf(req);
    return {
      ...{ address: connections.networkOf(req), transport },
      label: browserOf(req.headers['user-agent'] ?? ''),
      knownBrowser: readBrowserCookie(req, transport),
    };
  };

  const isOfSession = ({ req }: Koa.Context): boolean => authenticator.find(req)?.by === 'session';

  const send = (ctx: Koa.Context, principal: Principal): void => {
    const isNamed = principal !== anyone && principal.role !== 'nobody';
    const state = access.state === 'open' && !authenticator.isOpen ? 'claimed' : access.state;
    sendState(ctx, {
      access: state,
      user: isNamed ? { name: principal.name, role: principal.role } : null,
      actions: actionsOf(principal.role),
      insecure: isInsecure && authenticator.isOpen,
      expiresAt: access.credentials.expiryOf(principal) ?? null,
      provider: access.provider.label ?? null,
      passkeys: access.passkeySignIn.isReadyAt(passkeyPlaceOf(ctx.req, connections)),
    });
  };

  /** Begins a session, which replaces the present session of the browser. */
  const begin: SessionStart['begin'] = async (ctx, begun, { transport }) => {
    const before = authenticator.find(ctx.req);
    if (before?.by === 'session') await access.credentials.signOut(before.principal);
    const { secret, principal, expiresAt, knownBrowser } = begun;
    const cookie = { secret, transport, maxAgeSeconds: Math.max(expiresAt - access.now(), 1) };
    setSessionCookie(ctx, cookie);
    if (knownBrowser !== undefined) setBrowserCookie(ctx, knownBrowser, transport);
    send(ctx, principal);
    return cookie;
  };

  const signIn = async (ctx: Koa.Context): Promise<void> => {
    const { name, password } = await readJsonObject(ctx);
    if (access.state === 'unclaimed')
      throw new TallybookError('NOT_CLAIMED', 'nobody has set this service up');
    const origin = originOf(ctx);
    await begin(ctx, await access.passwords.signIn(name, password, origin), origin);
  };

  const setUp = async (ctx: Koa.Context): Promise<void> => {
    const { code, name, password } = await readJsonObject(ctx);
    const origin = originOf(ctx);
    await begin(ctx, await access.setup.claim(code, { name, password }, origin), origin);
    ctx.status = 201;
  };

  const signOut = async (ctx: Koa.Context): Promise<void> => {
    const authentication = authenticator.find(ctx.req);
    if (authentication?.by === 'session') await access.credentials.signOut(authentication.principal);
    setSessionCookie(ctx, { secret: '', transport: connections.transportOf(ctx.req), maxAgeSeconds: 0 });
    ctx.set('Clear-Site-Data', '"cache"');
    ctx.status = 204;
  };

  const changePassword = async (ctx: Koa.Context): Promise<void> => {
    const { current, password } = await readJsonObject(ctx);
    const address = connections.networkOf(ctx.req);
    await access.passwords.change(principalOf(ctx), { current, password, address });
    sendEmpty(ctx, 200);
  };

  return [
    { method: 'GET', path: '/api/session', action: 'public', handle: (ctx) => send(ctx, principalOf(ctx)) },
    { method: 'POST', path: '/api/session', action: 'public', handle: signIn },
    { method: 'DELETE', path: '/api/session', action: 'public', handle: signOut },
    { method: 'POST', path: '/api/setup', action: 'public', handle: setUp },
    { method: 'POST', path: '/api/password', action: 'signed-in', handle: changePassword },
    ...(access.provider.label === undefined ? [] : providerRoutes(access, { originOf, isOfSession, begin })),
    ...passkeySignInRoutes(admission, { originOf, begin }),
  ];
}
