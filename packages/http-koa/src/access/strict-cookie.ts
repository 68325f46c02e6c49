import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain';
import type Koa from 'koa';

/**
 * - `service`: with each request. Over https browsers take it from this host alone.
 * - `neighbours`: with requests to paths beside or below the one that set it, also where a proxy puts something before paths.
 *   Over https another host of the same domain could set such a cookie too, so its value alone must prove nothing.
 */
type CookieScope = 'service' | 'neighbours';

const scopes: Readonly<Record<CookieScope, { readonly prefix: string; readonly path: string }>> = {
  service: { prefix: '__Host-', path: '; Path=/' },
  // Without a path browsers take that of the request, up to its last slash (RFC 6265, section 5.1.4).
  neighbours: { prefix: '__Secure-', path: '' },
};

/** A cookie that no script can read, and that browsers send only with requests of this service's own pages. */
export class StrictCookie {
  readonly #names: Readonly<Record<Transport, string>>;
  readonly #patterns: Readonly<Record<Transport, RegExp>>;
  readonly #path: string;

  /** @param name Letters and `-`. With https it gets a prefix, so that browsers take it over https only. */
  constructor(name: string, scope: CookieScope = 'service') {
    const { prefix, path } = scopes[scope];
    this.#path = path;
    this.#names = { https: `${prefix}${name}`, http: name };
    this.#patterns = { https: patternOf(this.#names.https), http: patternOf(this.#names.http) };
  }

  /** The value that a browser sends; `undefined` without one. */
  read({ headers: { cookie } }: IncomingMessage, transport: Transport): string | undefined {
    return cookie === undefined ? undefined : this.#patterns[transport].exec(cookie)?.[1];
  }

  /** @param maxAgeSeconds How long the browser keeps it; 0 removes it. */
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
