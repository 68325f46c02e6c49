import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain';
import type Koa from 'koa';

/** A cookie that no script reads, and that browsers send with requests of this service's own pages only. */
export class StrictCookie {
  readonly #names: Readonly<Record<Transport, string>>;
  readonly #patterns: Readonly<Record<Transport, RegExp>>;

  /** @param name Letters and `-`. Over https it is one that browsers take from this host alone, over https alone. */
  constructor(name: string) {
    this.#names = { https: `__Host-${name}`, http: name };
    this.#patterns = { https: patternOf(this.#names.https), http: patternOf(this.#names.http) };
  }

  /** What a browser sends, `undefined` if it sends none. */
  read({ headers: { cookie } }: IncomingMessage, transport: Transport): string | undefined {
    return cookie === undefined ? undefined : this.#patterns[transport].exec(cookie)?.[1];
  }

  /** @param maxAgeSeconds How long the browser keeps it; 0 removes it. */
  set(ctx: Koa.Context, value: string, transport: Transport, maxAgeSeconds: number): void {
    const secure = transport === 'https' ? '; Secure' : '';
    ctx.append(
      'Set-Cookie',
      `${this.#names[transport]}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
    );
  }
}

function patternOf(name: string): RegExp {
  return new RegExp(`(?:^|;\\s*)${name}=([^;]*)`);
}
