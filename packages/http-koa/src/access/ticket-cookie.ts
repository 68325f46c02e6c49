import type { IncomingMessage } from 'node:http';
import type { ProviderStart, Transport } from '@tallybook/domain';
import type Koa from 'koa';
import { StrictCookie } from './strict-cookie.js';

const ticketCookie = new StrictCookie('tallybook-provider');

/** The ticket that the browser got before it went to the provider; empty if there is none. */
export function readTicketCookie(request: IncomingMessage, transport: Transport): string {
  return ticketCookie.read(request, transport) ?? '';
}

export function setTicketCookie(
  ctx: Koa.Context,
  { ticket, seconds }: Pick<ProviderStart, 'ticket' | 'seconds'>,
  transport: Transport,
): void {
  ticketCookie.set(ctx, ticket, transport, seconds);
}

/** Makes the browser forget its ticket. */
export function clearTicketCookie(ctx: Koa.Context, transport: Transport): void {
  ticketCookie.set(ctx, '', transport, 0);
}
