import type { Role } from './values/roles.js';

/**
 * How a request came. Others can listen to `http`, and the browser sends its cookies to every service on the same host.
 */
export type Transport = 'https' | 'http';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Seconds after which a user has to sign in again, however often the session is used. */
const SESSION_SECONDS: Readonly<Record<Transport, number>> = { https: 30 * DAY, http: 12 * HOUR };

/**
 * Seconds that a screen on the wall stays signed in: longer than browsers keep a cookie. If it asked for a password each
 * morning, somebody would write the password beside it. Its role sees only today.
 */
const KIOSK_SESSION_SECONDS: number = 400 * DAY;

/**
 * A session without use for more days than this has ended. The session of a screen on the wall stays, to outlast
 * holidays.
 */
export const IDLE_DAYS = 7;

/**
 * Seconds after which somebody has to sign in at the identity provider again, whatever the role. A role that the provider
 * has taken away may last here for that long.
 */
export const PROVIDER_SESSION_SECONDS: number = 12 * HOUR;

/** Seconds that a new session lasts at most. */
export function sessionSeconds(role: Role, transport: Transport): number {
  return role === 'kiosk' ? KIOSK_SESSION_SECONDS : SESSION_SECONDS[transport];
}
