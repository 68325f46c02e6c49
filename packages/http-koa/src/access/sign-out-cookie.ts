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
 * What the provider wants to see when this session ends; `undefined` if the browser has nothing of this session.
 *
 * Only for a request whose session cookie counts.
 */
export function readSignOutHint(request: IncomingMessage, transport: Transport): string | undefined {
  const secret = readSessionCookie(request, transport);
  const sealed = signOutCookie.read(request, transport);
  return secret === undefined || sealed === undefined ? undefined : openFor(secret, PURPOSE, sealed);
}

/**
 * Has the browser keep it as long as the session, which begins with the same answer. Without a hint it forgets what it has.
 *
 * The cookie outlasts the session if that ends sooner, since a route that is not beside this one cannot remove it. Nobody can read
 * it then.
 */
export function setSignOutHint(
  ctx: Koa.Context,
  hint: string | undefined,
  { secret, transport, maxAgeSeconds }: SessionCookie,
): void {
  if (hint !== undefined) signOutCookie.set(ctx, sealFor(secret, PURPOSE, hint), transport, maxAgeSeconds);
  else if (signOutCookie.read(ctx.req, transport) !== undefined) signOutCookie.set(ctx, '', transport, 0);
}
