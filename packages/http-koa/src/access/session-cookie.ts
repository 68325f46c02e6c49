import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain';
import type Koa from 'koa';
import { StrictCookie } from './strict-cookie.js';

const sessionCookie = new StrictCookie('tallybook');
/** It outlasts the session, and signing out: it says nothing but that somebody has signed in from this browser. */
const browserCookie = new StrictCookie('tallybook-browser');
/** Browsers keep no cookie longer than 400 days. */
const BROWSER_SECONDS = 34_560_000;

/** What a browser keeps of a session. */
export interface SessionCookie {
  readonly secret: string;
  readonly transport: Transport;
  readonly maxAgeSeconds: number;
}

/** The secret of the session that a browser sends, `undefined` if it sends none. */
export function readSessionCookie(request: IncomingMessage, transport: Transport): string | undefined {
  return sessionCookie.read(request, transport);
}

/** @param maxAgeSeconds How long the browser keeps it; 0 removes it. */
export function setSessionCookie(
  ctx: Koa.Context,
  { secret, transport, maxAgeSeconds }: SessionCookie,
): void {
  sessionCookie.set(ctx, secret, transport, maxAgeSeconds);
}

/** The mark by which the service recognises a browser from which somebody has signed in; `undefined` if there is none. */
export function readBrowserCookie(request: IncomingMessage, transport: Transport): string | undefined {
  return browserCookie.read(request, transport);
}

/** @param knownBrowser As in `SignedIn`. */
export function setBrowserCookie(ctx: Koa.Context, knownBrowser: string, transport: Transport): void {
  browserCookie.set(ctx, knownBrowser, transport, BROWSER_SECONDS);
}
