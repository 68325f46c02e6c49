import type { Role } from '../values/access/roles.js';

/** How a request came: `http` can be listened to, and every service on the same host is sent its cookies. */
export type Transport = 'https' | 'http';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Seconds after which somebody has to sign in again, whatever they do. */
export const SESSION_SECONDS: Readonly<Record<Transport, number>> = { https: 30 * DAY, http: 12 * HOUR };

/**
 * Seconds that a screen on the wall stays signed in: longer than browsers keep a cookie. One that asked for a password each
 * morning would have it written beside it, and its role sees today only.
 */
export const KIOSK_SESSION_SECONDS: number = 400 * DAY;

/** A session that was not used for more days than this has ended. That of a screen on the wall outlasts the holidays. */
export const IDLE_DAYS = 7;

/**
 * Seconds after which somebody has to sign in at the identity provider again, whatever the role. What the provider has taken
 * away may last here for so long.
 */
export const PROVIDER_SESSION_SECONDS: number = 12 * HOUR;

/** Seconds that a new session lasts at most. */
export function sessionSeconds(role: Role, transport: Transport): number {
  return role === 'kiosk' ? KIOSK_SESSION_SECONDS : SESSION_SECONDS[transport];
}
