import type { AuditNotes } from '../audit/audit-notes.js';
import type { AccessStore } from '../ports/access/access-store.js';
import type { IdentityProvider, ProvenIdentity, SignInStart } from '../ports/access/identity-provider.js';
import type { PasskeyVerifier } from '../ports/access/passkey-verifier.js';
import type { Secrets } from '../ports/secrets.js';
import type { Calendar } from '../time/calendar.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { Credential, UserIdentity } from '../values/access/access.js';
import type { Role } from '../values/access/roles.js';
import type { Timestamp } from '../values/timestamp.js';
import type { Principal } from './principal.js';
import type { IdentityRules } from './provider/identity-rules.js';
import type { LinkChoice } from './provider/link.js';
import type { Transport } from './session-length.js';

export interface AccessDependencies {
  /** Opened before the service and closed after it, by whoever made it. */
  readonly store: AccessStore;
  readonly secrets: Secrets;
  /** Default: there are no passkeys. */
  readonly passkeys?: PasskeyVerifier | undefined;
  readonly timekeeper: Timekeeper;
  readonly calendar: Calendar;
  readonly audit?: AuditNotes;
  /** Where people may sign in beside here. Default: nowhere. */
  readonly provider?: IdentityProvider;
  /** Called with what went wrong in the background: noting when something was used, reading the store anew, the audit trail. */
  readonly onFault?: (error: unknown) => void;
}

export interface AccessOptions {
  /**
   * Whether nobody may do anything until somebody who knows the setup code has made the first user. Default: false, which
   * lets everybody do everything as long as there is no user.
   */
  readonly requiresClaim?: boolean;
  /**
   * Milliseconds between two looks for what other servers have written, 50..60000, default 60000. A session that another
   * server has ended may last here until the next look.
   */
  readonly lookMs?: number;
  /** Whom the identity provider makes a user. Default: nobody; only users that admins have linked sign in with it. */
  readonly identityRules?: IdentityRules;
}

/**
 * - `open`: there is no user, and everybody may do everything.
 * - `unclaimed`: there is no user, and nobody may do anything but claim the service.
 * - `claimed`: there are users.
 */
export type AccessState = 'open' | 'unclaimed' | 'claimed';

/** From where somebody signs in. */
export interface Origin {
  /** Of the network, for the throttle. */
  readonly address: string;
  readonly transport: Transport;
  /** What the session is called where it is listed, such as the browser; cut to 100 characters. */
  readonly label: string;
  /** What the browser kept of {@link SignedIn.knownBrowser}; untrusted. */
  readonly knownBrowser?: string | undefined;
}

/** A user that is to be; untrusted. */
export interface UserChoice extends LinkChoice {
  readonly name: unknown;
  /** One of `roles`. */
  readonly role?: unknown;
  readonly password?: unknown;
}

/** One's own password and the new one; untrusted. */
export interface NewPassword {
  readonly current: unknown;
  readonly password: unknown;
  /** As in {@link Origin}. */
  readonly address: string;
}

/** How a browser signs in at the identity provider. */
export interface ProviderStart extends SignInStart {
  /** Seconds in which the ticket counts. */
  readonly seconds: number;
}

/** A new session. */
export interface SignedIn {
  /** Says who a request comes from. It is nowhere else. */
  readonly secret: string;
  readonly principal: Principal;
  readonly expiresAt: Timestamp;
  /**
   * For the browser to keep: while it shows this, wrong passwords that others try for this user do not make it wait. Letters,
   * digits, `-` and `_`. Only after a sign-in with the password.
   */
  readonly knownBrowser?: string;
}

/** A new session of somebody who signed in at the identity provider. */
export interface SignedInElsewhere extends SignedIn {
  /** Tells the provider, when this session ends, who signs out there; it is nowhere else. */
  readonly signOutHint: ProvenIdentity['signOutHint'];
}

/** A user as others may see one. */
export interface UserView {
  readonly name: string;
  readonly role: Role;
  readonly createdAt: Timestamp;
  readonly hasPassword: boolean;
  /** Absent for a user who does not sign in with the identity provider. */
  readonly identity?: UserIdentity;
}

/** A session or a token as others may see one; the role of a session is that of its user. */
export type CredentialView = Omit<Credential, 'digest'>;
