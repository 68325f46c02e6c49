import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain';
import type Koa from 'koa';

/** Over https a name that browsers take from this host alone, over https alone. */
const names: Readonly<Record<Transport, string>> = { https: '__Host-tallybook', http: 'tallybook' };

const patterns: Readonly<Record<Transport, RegExp>> = {
  https: /(?:^|;\s*)__Host-tallybook=([^;]*)/,
  http: /(?:^|;\s*)tallybook=([^;]*)/,
};

/** The secret of the session that a browser sends, `undefined` if it sends none. */
export function readSessionCookie(
  { headers: { cookie } }: IncomingMessage,
  transport: Transport,
): string | undefined {
  return cookie === undefined ? undefined : patterns[transport].exec(cookie)?.[1];
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
  const secure = transport === 'https' ? '; Secure' : '';
  ctx.append(
    'Set-Cookie',
    `${names[transport]}=${secret}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
