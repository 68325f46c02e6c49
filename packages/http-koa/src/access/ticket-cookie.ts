import type { IncomingMessage } from 'node:http';
import type { Transport } from '@tallybook/domain/access';
import type Koa from 'koa';
import { StrictCookie } from './session-cookie.js';

/** Number of sign-ins that may be under way in one browser, each in its tab; one more ends the oldest. */
const MAX_TICKETS = 3;
/** Browsers drop a cookie of more than 4,096 bytes. */
const MAX_LENGTH = 3_800;
const SEPARATOR = '~';
/** The tickets themselves say when they end. */
const SECONDS = 600;

const ticketCookie = new StrictCookie('tallybook-provider');

/** Makes the browser keep the ticket that it got before it goes to the provider. */
export function addTicket(ctx: Koa.Context, ticket: string, transport: Transport): void {
  const tickets = [ticket, ...ticketsOf(ctx.req, transport)].slice(0, MAX_TICKETS);
  while (tickets.length > 1 && tickets.join(SEPARATOR).length > MAX_LENGTH) tickets.pop();
  ticketCookie.set(ctx, tickets.join(SEPARATOR), transport, SECONDS);
}

/**
 * Takes the ticket for an answer of the provider out of the cookie: a ticket can be used only once, even if the sign-in
 * fails. It is the one with the `state` of the answer, else the latest; empty if there is none.
 */
export function takeTicket(ctx: Koa.Context, answer: unknown, transport: Transport): string {
  const tickets = ticketsOf(ctx.req, transport);
  const state = new URLSearchParams(typeof answer === 'string' ? answer : '').get('state') ?? '';
  const ticket = tickets.find((each) => state !== '' && each.includes(state)) ?? tickets[0];
  if (ticket === undefined) return '';
  const others = tickets.filter((each) => each !== ticket);
  ticketCookie.set(ctx, others.join(SEPARATOR), transport, others.length === 0 ? 0 : SECONDS);
  return ticket;
}

function ticketsOf(request: IncomingMessage, transport: Transport): readonly string[] {
  return ticketCookie.read(request, transport)?.split(SEPARATOR).filter(Boolean) ?? [];
}
