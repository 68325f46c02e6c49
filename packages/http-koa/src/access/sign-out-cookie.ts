import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain';
import type Koa from 'koa';
import { readSessionCookie, type SessionCookie } from './session-cookie.js';
import { openFor, sealFor } from './session-seal.js';
import { StrictCookie } from './strict-cookie.js';

/** Up to 2.7 kB: it goes to the routes of the identity provider only, and not along with each request. */
const signOutCookie = new StrictCookie('tallybook-sign-out', 'neighbours');
const PURPOSE = 'sign-out hint';

/**
 * The hint for the provider when this session ends; `undefined` if the browser has none of this session.
 *
 * Only for a request with a valid session cookie.
 */
export function readSignOutHint(request: IncomingMessage, transport: Transport): string | undefined {
  const secret = readSessionCookie(request, transport);
  const sealed = signOutCookie.read(request, transport);
  return secret === undefined || sealed === undefined ? undefined : openFor(secret, PURPOSE, sealed);
}

/**
 * Has the browser keep a hint as long as the session, which begins with the same answer. Without one it forgets an earlier hint.
 *
 * The cookie outlasts a session that ends sooner, since only routes beside this one can remove it. Nobody can read it then.
 */
export function setSignOutHint(
  ctx: Koa.Context,
  hint: string | undefined,
  { secret, transport, maxAgeSeconds }: SessionCookie,
): void {
  if (hint !== undefined) signOutCookie.set(ctx, sealFor(secret, PURPOSE, hint), transport, maxAgeSeconds);
  else if (signOutCookie.read(ctx.req, transport) !== undefined) signOutCookie.set(ctx, '', transport, 0);
}
