import type { AccessService, Origin, SignedIn } from '@tallybook/domain/access';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import type { SessionCookie } from '../../access/session-cookie.js';
import { readSignOutHint, setSignOutHint } from '../../access/sign-out-cookie.js';
import { addTicket, takeTicket } from '../../access/ticket-cookie.js';
import { sendState } from '../../answers/representation.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';

/** The beginning of sessions, shared by all ways of signing in. */
export interface SessionStart {
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
export function providerRoutes(
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
