import { quote } from '@tallybook/domain';
import type Koa from 'koa';
import type { AllowedHosts } from './allowed-hosts.js';

/**
 * Refuses forged requests before anything else reads them: requests for a foreign host name (DNS rebinding), and
 * requests that pages of other sites send without the knowledge of the person (cross-site requests).
 */
export function guardRequests(hosts: AllowedHosts): Koa.Middleware {
  return (ctx, next) => {
    requireVersion(ctx);
    requireHost(ctx, hosts);
    // Even links on other sites are refused: people type the address.
    if (ctx.req.headers['sec-fetch-site'] === 'cross-site' && /^\/api(?:\/|$)/.test(ctx.path)) {
      ctx.throw(
        403,
        'a page of another site asked for this, which is refused; type the address into the browser to see it',
      );
    }
    return next();
  };
}

/** Node accepts a request without a version as HTTP/0.9. */
function requireVersion(ctx: Koa.Context): void {
  const { httpVersion } = ctx.req;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    ctx.throw(400, `the request must be HTTP/1.1 or HTTP/1.0; got HTTP/${httpVersion}`);
  }
}

function requireHost(ctx: Koa.Context, hosts: AllowedHosts): void {
  const { headers, httpVersion, rawHeaders } = ctx.req;
  const { host } = headers;
  // Of several `Host` fields, Node keeps the first; a proxy in front may have checked another one.
  if (countHosts(rawHeaders) > 1) ctx.throw(400, 'Host: must be given once');
  if (host === undefined) {
    // Small devices use HTTP/1.0 without `Host`; browsers never do.
    if (httpVersion === '1.1') ctx.throw(400, 'Host: must be given');
  } else {
    requireAllowed(ctx, hosts, host);
  }
  // A host in the target overrides the field: RFC 9112, section 3.2.2.
  const { originalUrl: url } = ctx;
  if (!/^[/*]/.test(url)) requireAllowed(ctx, hosts, new URL(url).host);
}

function requireAllowed(ctx: Koa.Context, hosts: AllowedHosts, host: string): void {
  if (hosts.allows(host)) return;
  ctx.throw(
    421,
    `Host: ${quote(host)} is not known as a name of this service; use its IP address, or allow the name with --allowed-host`,
  );
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
