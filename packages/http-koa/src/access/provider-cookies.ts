import type { IncomingMessage } from 'node:http';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type CipherGCM } from 'node:crypto';
import type { Transport } from '@tallybook/domain/access';
import type Koa from 'koa';
import { readSessionCookie, StrictCookie, type SessionCookie } from './session-cookie.js';

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

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text that a browser keeps for a session. The key is derived from the secret of the session, and the store has only a
 * digest of that secret. So when the browser forgets the session, nobody can read the text any more.
 *
 * ```
 * base64url: nonce (12 bytes)  tag (16)  text
 * ```
 *
 * @param secret Secret of the session; it must be random.
 * @param purpose The text can be opened only with the same purpose.
 */
export function sealFor(secret: string, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher: CipherGCM = createCipheriv(ALGORITHM, keyOf(secret, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The text; `undefined` if it was not sealed for this session and purpose. */
export function openFor(secret: string, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const start = NONCE_BYTES + TAG_BYTES;
  if (bytes.length < start) return undefined;
  const decipher = createDecipheriv(ALGORITHM, keyOf(secret, purpose), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, start));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function keyOf(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `tallybook ${purpose}`, KEY_BYTES));
}

/**
 * The cookie has up to 2.7 kB, so browsers send it only to the routes for the identity provider, not with each request.
 */
const signOutCookie = new StrictCookie('tallybook-sign-out', 'neighbours');
const PURPOSE = 'sign-out hint';

/**
 * The hint for the provider at the end of this session; `undefined` if the browser has no hint of this session.
 *
 * Call it only for a request with a valid session cookie.
 */
export function readSignOutHint(request: IncomingMessage, transport: Transport): string | undefined {
  const secret = readSessionCookie(request, transport);
  const sealed = signOutCookie.read(request, transport);
  return secret === undefined || sealed === undefined ? undefined : openFor(secret, PURPOSE, sealed);
}

/**
 * Makes the browser keep a hint as long as the session that begins with the same answer. Without a hint, the browser forgets an
 * earlier one.
 *
 * If the session ends early, the cookie remains, because only the routes for the provider can remove it. Nobody can read the
 * hint then.
 */
export function setSignOutHint(
  ctx: Koa.Context,
  hint: string | undefined,
  { secret, transport, maxAgeSeconds }: SessionCookie,
): void {
  if (hint !== undefined) signOutCookie.set(ctx, sealFor(secret, PURPOSE, hint), transport, maxAgeSeconds);
  else if (signOutCookie.read(ctx.req, transport) !== undefined) signOutCookie.set(ctx, '', transport, 0);
}
