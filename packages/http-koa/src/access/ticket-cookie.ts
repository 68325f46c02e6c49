import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain';
import type Koa from 'koa';
import { StrictCookie } from './strict-cookie.js';

const ticketCookie = new StrictCookie('tallybook-provider');

/** Seconds in which one has to sign in at the provider. */
const TICKET_SECONDS = 600;

/** What the browser was given when it was sent to the provider; empty if it has nothing. */
export function readTicketCookie(request: IncomingMessage, transport: Transport): string {
  return ticketCookie.read(request, transport) ?? '';
}

/** @param ticket Empty: the browser forgets what it has. */
export function setTicketCookie(ctx: Koa.Context, ticket: string, transport: Transport): void {
  ticketCookie.set(ctx, ticket, transport, ticket === '' ? 0 : TICKET_SECONDS);
}
