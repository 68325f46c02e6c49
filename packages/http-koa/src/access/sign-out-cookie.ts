import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain/access';
import type Koa from 'koa';
import { readSessionCookie, type SessionCookie } from './session-cookie.js';
import { openFor, sealFor } from './session-seal.js';
import { StrictCookie } from './strict-cookie.js';

/**
 * The cookie has up to 2.7 kB, so browsers send it only to the routes for the identity provider, not with each request.
 */
const signOutCookie = new StrictCookie('tallybook-sign-out', 'neighbours');
const PURPOSE = 'sign-out hint';

/**
 * The hint for the provider at the end of this session; `undefined` if the browser has no hint of this session.
 *
 * Call it only for a request with a valid session cookie.
 */
export function readSignOutHint(request: IncomingMessage, transport: Transport): string | undefined {
  const secret = readSessionCookie(request, transport);
  const sealed = signOutCookie.read(request, transport);
  return secret === undefined || sealed === undefined ? undefined : openFor(secret, PURPOSE, sealed);
}

/**
 * Makes the browser keep a hint as long as the session that begins with the same answer. Without a hint, the browser forgets an
 * earlier one.
 *
 * If the session ends early, the cookie remains, because only the routes for the provider can remove it. Nobody can read the
 * hint then.
 */
export function setSignOutHint(
  ctx: Koa.Context,
  hint: string | undefined,
  { secret, transport, maxAgeSeconds }: SessionCookie,
): void {
  if (hint !== undefined) signOutCookie.set(ctx, sealFor(secret, PURPOSE, hint), transport, maxAgeSeconds);
  else if (signOutCookie.read(ctx.req, transport) !== undefined) signOutCookie.set(ctx, '', transport, 0);
}
