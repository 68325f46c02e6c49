import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain';
import type Koa from 'koa';

/** As those of sessions: over https one that this host alone can have set. */
const names: Readonly<Record<Transport, string>> = {
  https: '__Host-tallybook-provider',
  http: 'tallybook-provider',
};

/** Seconds in which one has to sign in at the provider. */
const TICKET_SECONDS = 600;

/** What the browser was given when it was sent to the provider; empty if it has nothing. */
export function readTicketCookie(
  { headers: { cookie = '' } }: IncomingMessage,
  transport: Transport,
): string {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  const start = `${names[transport]}=`;
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? '';
}

/** @param ticket Empty: the browser forgets what it has. */
export function setTicketCookie(ctx: Koa.Context, ticket: string, transport: Transport): void {
  const maxAge = ticket === '' ? 0 : TICKET_SECONDS;
  const secure = transport === 'https' ? '; Secure' : '';
  ctx.append(
    'Set-Cookie',
    `${names[transport]}=${ticket}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`,
  );
}
