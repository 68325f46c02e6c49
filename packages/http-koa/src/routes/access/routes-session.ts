import {
  actionsOf,
  anyone,
  type AccessService,
  type Origin,
  type Principal,
  type SignedIn,
} from '@tallybook/domain/access';
import type Koa from 'koa';
import { TallybookError } from '@tallybook/domain';
import { principalOf } from '../../access/principal-of.js';
import {
  readBrowserCookie,
  setBrowserCookie,
  setSessionCookie,
  type SessionCookie,
} from '../../access/session-cookie.js';
import { addTicket, readSignOutHint, setSignOutHint, takeTicket } from '../../access/provider-cookies.js';
import { sendEmpty, sendState } from '../../answers/representation.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Admission } from '../../access/admission.js';
import { passkeyPlaceOf } from '../../access/connections.js';
import { browserOf } from '../../access/browser-of.js';
import type { Route } from '../route.js';
import { requestOptions } from './routes-passkeys.js';

/** The beginning of sessions, shared by all ways of signing in. */
interface SessionStart {
  readonly originOf: (ctx: Koa.Context) => Origin;
  /** Whether the principal of a request comes from its session cookie, not from a token or a proxy. */
  readonly isOfSession: (ctx: Koa.Context) => boolean;
  /** Begins a session. Resolves with the data of the session that the browser keeps. */
  readonly begin: (ctx: Koa.Context, begun: SignedIn, origin: Origin) => Promise<SessionCookie>;
}

/**
 * `/api/session/provider`: signing in and out at the identity provider.
 *
 * The provider sends the browser back to the page, not to a route. A request from the site of the provider has no
 * cookie with `SameSite=Strict`, and no other site may request a change. So the page sends the answer to the route.
 */
function providerRoutes(
  access: AccessService,
  { originOf, isOfSession, begin }: SessionStart,
): readonly Route[] {
  const start = async (ctx: Koa.Context): Promise<void> => {
    const { transport } = originOf(ctx);
    const { url, ticket } = await access.provider.begin();
    addTicket(ctx, ticket, transport);
    sendState(ctx, { url });
  };
  const finish = async (ctx: Koa.Context): Promise<void> => {
    const { answer } = await readJsonObject(ctx);
    const origin = originOf(ctx);
    const ticket = takeTicket(ctx, answer, origin.transport);
    const { signOutHint, ...begun } = await access.provider.finish(ticket, answer, origin);
    setSignOutHint(ctx, signOutHint, await begin(ctx, begun, origin));
  };
  const signOut = async (ctx: Koa.Context): Promise<void> => {
    const { transport } = originOf(ctx);
    const hint = isOfSession(ctx) ? readSignOutHint(ctx.req, transport) : undefined;
    sendState(ctx, { url: (await access.provider.signOutUrl(principalOf(ctx), hint)) ?? null });
  };
  return [
    { method: 'GET', path: '/api/session/provider/sign-out', action: 'signed-in', handle: signOut },
    { method: 'POST', path: '/api/session/provider', action: 'public', handle: start },
    { method: 'POST', path: '/api/session/provider/answer', action: 'public', handle: finish },
  ];
}

/** `/api/session/passkey`: signing in without a password. */
function passkeySignInRoutes(
  { access, connections }: Admission,
  { originOf, begin }: Pick<SessionStart, 'originOf' | 'begin'>,
): readonly Route[] {
  const requireClaimed = (): void => {
    if (access.state !== 'unclaimed') return;
    throw new TallybookError('NOT_CLAIMED', 'nobody has set this service up');
  };
  const challenge = async (ctx: Koa.Context): Promise<void> => {
    requireClaimed();
    await readJsonObject(ctx);
    const place = passkeyPlaceOf(ctx.req, connections);
    sendState(ctx, requestOptions(await access.passkeySignIn.challenge(place)));
  };
  const signIn = async (ctx: Koa.Context): Promise<void> => {
    requireClaimed();
    const answer = await readJsonObject(ctx);
    const place = passkeyPlaceOf(ctx.req, connections);
    const origin = originOf(ctx);
    await begin(ctx, await access.passkeySignIn.signIn(answer, place, origin), origin);
  };
  return [
    { method: 'POST', path: '/api/session/passkey/challenge', action: 'public', handle: challenge },
    { method: 'POST', path: '/api/session/passkey', action: 'public', handle: signIn },
  ];
}

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
