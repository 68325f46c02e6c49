import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain';
import type Koa from 'koa';
import { StrictCookie } from './strict-cookie.js';

const sessionCookie = new StrictCookie('tallybook');

/** The secret of the session that a browser sends, `undefined` if it sends none. */
export function readSessionCookie(request: IncomingMessage, transport: Transport): string | undefined {
  return sessionCookie.read(request, transport);
}

/** @param maxAgeSeconds How long the browser keeps it; 0 removes it. */
export function setSessionCookie(
  ctx: Koa.Context,
  {
    secret,
    transport,
    maxAgeSeconds,
  }: { readonly secret: string; readonly transport: Transport; readonly maxAgeSeconds: number },
): void {
  sessionCookie.set(ctx, secret, transport, maxAgeSeconds);
}
