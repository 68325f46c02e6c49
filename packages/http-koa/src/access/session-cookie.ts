import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain/access';
import type Koa from 'koa';
import { StrictCookie } from './strict-cookie.js';

const sessionCookie = new StrictCookie('tallybook');
/**
 * This cookie is kept after the end of the session and after signing out: it only shows that somebody has signed in
 * from this browser.
 */
const browserCookie = new StrictCookie('tallybook-browser');
/** Browsers keep no cookie longer than 400 days. */
const BROWSER_SECONDS = 34_560_000;

/** The data of a session that a browser keeps. */
export interface SessionCookie {
  readonly secret: string;
  readonly transport: Transport;
  readonly maxAgeSeconds: number;
}

/** The secret of a session in the request of a browser; `undefined` if there is none. */
export function readSessionCookie(request: IncomingMessage, transport: Transport): string | undefined {
  return sessionCookie.read(request, transport);
}

/** @param maxAgeSeconds Seconds for which the browser keeps the cookie; 0 removes it. */
export function setSessionCookie(
  ctx: Koa.Context,
  { secret, transport, maxAgeSeconds }: SessionCookie,
): void {
  sessionCookie.set(ctx, secret, transport, maxAgeSeconds);
}

/** The mark of a browser from which somebody has signed in; `undefined` if there is none. */
export function readBrowserCookie(request: IncomingMessage, transport: Transport): string | undefined {
  return browserCookie.read(request, transport);
}

/** @param knownBrowser As in `SignedIn`. */
export function setBrowserCookie(ctx: Koa.Context, knownBrowser: string, transport: Transport): void {
  browserCookie.set(ctx, knownBrowser, transport, BROWSER_SECONDS);
}
