import type { IncomingMessage } from 'node:http';
import { quote } from '@tallybook/domain';
import type Koa from 'koa';
import type { Connections } from './connections.js';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses changes that a page of another site, or of another service on the same host, requests.
 *
 * Browsers send the site in `Sec-Fetch-Site`, but over plain http only in `Origin`. A client that sends neither is not a browser.
 * It must prove its identity by something that browsers do not send by themselves.
 *
 * @param isAmbient Whether browsers send the proof with every request: a cookie, or a header of a proxy.
 */
export function requireSameOrigin(ctx: Koa.Context, connections: Connections, isAmbient: boolean): void {
  const { req } = ctx;
  if (SAFE.has(req.method ?? '')) return;
  const { 'sec-fetch-site': site, origin } = req.headers;
  if (site === 'same-origin' || site === 'none') return;
  if (site !== undefined || (origin !== undefined && !isOurs(origin, connections.hostOf(req)))) {
    ctx.throw(
      403,
      `a page of another site asked for this change, which is refused${hint(req, origin, connections)}`,
    );
  }
  if (origin === undefined && isAmbient) {
    ctx.throw(403, 'a change needs the header Origin, or a token: Authorization: Bearer tb_…');
  }
}

/** Compares host and port only: the scheme in the browser may be the scheme of a proxy. */
function isOurs(origin: string, host: string | undefined): boolean {
  if (host === undefined || host === '') return false;
  // Browsers write the origin and the host in the same way, so usually nothing has to be parsed.
  if (origin === `http://${host}` || origin === `https://${host}`) return true;
  try {
    const { host: theirs, protocol } = new URL(origin);
    return theirs !== '' && new URL(`${protocol}//${host}`).host === theirs;
  } catch {
    // The origin is `null`: the page has none.
    return false;
  }
}

function hint(req: IncomingMessage, origin: string | undefined, connections: Connections): string {
  if (origin === undefined) return '';
  const host = quote(connections.hostOf(req));
  return `: its origin is ${quote(origin)} and this is ${host}; a proxy in front has to pass on the Host, or be trusted with --trusted-proxy`;
}
