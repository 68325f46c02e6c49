import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain/access';
import type Koa from 'koa';

/**
 * - `service`: sent with each request. Over https, browsers accept it only from this host.
 * - `neighbours`: sent with requests to paths beside or below the path that set it, even if a proxy adds a prefix to paths.
 *   Over https, another host of the same domain could set such a cookie too, so its value alone must not prove anything.
 */
type CookieScope = 'service' | 'neighbours';

const scopes: Readonly<Record<CookieScope, { readonly prefix: string; readonly path: string }>> = {
  service: { prefix: '__Host-', path: '; Path=/' },
  // Without a path, browsers use the path of the request up to its last slash (RFC 6265, section 5.1.4).
  neighbours: { prefix: '__Secure-', path: '' },
};

/** A cookie that no script can read. Browsers send it only with requests of this service's own pages. */
export class StrictCookie {
  readonly #names: Readonly<Record<Transport, string>>;
  readonly #patterns: Readonly<Record<Transport, RegExp>>;
  readonly #path: string;

  /** @param name Letters and `-`. With https it gets a prefix, so that browsers accept it only over https. */
  constructor(name: string, scope: CookieScope = 'service') {
    const { prefix, path } = scopes[scope];
    this.#path = path;
    this.#names = { https: `${prefix}${name}`, http: name };
    this.#patterns = { https: patternOf(this.#names.https), http: patternOf(this.#names.http) };
  }

  /** The value in the request of a browser; `undefined` if there is none. */
  read({ headers: { cookie } }: IncomingMessage, transport: Transport): string | undefined {
    return cookie === undefined ? undefined : this.#patterns[transport].exec(cookie)?.[1];
  }

  /** @param maxAgeSeconds Seconds for which the browser keeps the cookie; 0 removes it. */
  set(ctx: Koa.Context, value: string, transport: Transport, maxAgeSeconds: number): void {
    const secure = transport === 'https' ? '; Secure' : '';
    ctx.append(
      'Set-Cookie',
      `${this.#names[transport]}=${value}${this.#path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
    );
  }
}

function patternOf(name: string): RegExp {
  return new RegExp(`(?:^|;\\s*)${name}=([^;]*)`);
}

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
