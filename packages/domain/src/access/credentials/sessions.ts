import type { AccessChanges } from '../ports/access-store.js';
import type { Credential, User } from '../values/access.js';
import type { Role } from '../values/roles.js';
import { DAY_SECONDS, toTimestamp } from '../../values/timestamp.js';
import type { AccessLedger } from '../access-ledger.js';
import type { AccessDependencies, Origin, SignedIn, Transport } from '../access-parts.js';
import { rightsOf } from '../principal.js';
import { cleanLabel, newId } from '../ids-and-labels.js';

/** Seconds after which a user has to sign in again, however often the session is used. */
const SESSION_SECONDS: Readonly<Record<Transport, number>> = { https: 30 * DAY_SECONDS, http: 12 * 3_600 };

/**
 * Seconds that a screen on the wall stays signed in: longer than browsers keep a cookie. If it asked for a password each
 * morning, somebody would write the password beside it. Its role sees only today.
 */
const KIOSK_SESSION_SECONDS = 400 * DAY_SECONDS;

/** Maximum number for one user; one more ends the oldest. */
const MAX_SESSIONS = 50;

/** A session that begins when its changes are written to the store. */
export interface NewSession {
  readonly signedIn: SignedIn;
  readonly changes: AccessChanges;
}

/** Makes sessions for users who have signed in in any way. */
export class Sessions {
  readonly #parts: Pick<AccessDependencies, 'secrets' | 'calendar'>;
  readonly #ledger: AccessLedger;

  constructor(parts: Pick<AccessDependencies, 'secrets' | 'calendar'>, ledger: AccessLedger) {
    this.#parts = parts;
    this.#ledger = ledger;
  }

  /** @param seconds Length of the session, however often it is used. */
  make(
    user: User,
    { transport, label }: Origin,
    seconds: number = sessionSeconds(user.role, transport),
  ): NewSession {
    const { name, role } = user;
    const { secrets, calendar } = this.#parts;
    const now = this.#ledger.now();
    const secret = secrets.random();
    const expiresAt = toTimestamp(now + seconds);
    const credential: Credential = {
      ...{ id: newId(secrets), digest: secrets.digest(secret), kind: 'session', role, user: name },
      ...{ label: cleanLabel(label) || 'unknown', createdAt: now, expiresAt },
      lastUsed: calendar.dayOf(now),
    };
    const surplus = this.#ledger.directory.sessionsOf(name).slice(MAX_SESSIONS - 1);
    return {
      signedIn: { secret, principal: { ...rightsOf(user), name, credential: credential.id }, expiresAt },
      changes: { putCredentials: [credential], removeCredentials: surplus.map(({ id }) => id) },
    };
  }
}

function sessionSeconds(role: Role, transport: Transport): number {
  return role === 'kiosk' ? KIOSK_SESSION_SECONDS : SESSION_SECONDS[transport];
}
