import type { AccessService, Origin, SignedIn } from '@tallybook/domain';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { clearTicketCookie, readTicketCookie, setTicketCookie } from '../../access/ticket-cookie.js';
import { sendState } from '../../answers/representation.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';

/** How sessions begin, whatever somebody has shown for them. */
export interface SessionStart {
  readonly originOf: (ctx: Koa.Context) => Origin;
  readonly begin: (ctx: Koa.Context, begun: SignedIn, origin: Origin) => Promise<void>;
}

/**
 * `/api/session/provider`: signing in, and out, elsewhere.
 *
 * The provider sends the browser back to the page, not to a route: a request that comes from there has no cookie that is
 * `SameSite=Strict`, and none that changes something may come from another site. The page hands on what it was sent.
 */
export function providerRoutes(access: AccessService, { originOf, begin }: SessionStart): readonly Route[] {
  const start = async (ctx: Koa.Context): Promise<void> => {
    const { transport } = originOf(ctx);
    const { url, ...ticket } = await access.beginAtProvider();
    setTicketCookie(ctx, ticket, transport);
    sendState(ctx, { url });
  };
  const finish = async (ctx: Koa.Context): Promise<void> => {
    const { answer } = await readJsonObject(ctx);
    const origin = originOf(ctx);
    const ticket = readTicketCookie(ctx.req, origin.transport);
    // Whatever becomes of it, it is used.
    if (ticket !== '') clearTicketCookie(ctx, origin.transport);
    await begin(ctx, await access.finishAtProvider(ticket, answer, origin), origin);
  };
  const signOut = async (ctx: Koa.Context): Promise<void> => {
    sendState(ctx, { url: (await access.providerSignOutUrl(principalOf(ctx))) ?? null });
  };
  return [
    { method: 'GET', path: '/api/session/provider/sign-out', action: 'signed-in', handle: signOut },
    { method: 'POST', path: '/api/session/provider', action: 'public', handle: start },
    { method: 'POST', path: '/api/session/provider/answer', action: 'public', handle: finish },
  ];
}
