import type { AuditNotes } from '../ports/audit-notes.js';
import type { AccessStore } from './ports/access-store.js';
import type { IdentityProvider, ProvenIdentity, SignInStart } from './ports/identity-provider.js';
import type { PasskeyVerifier } from './ports/passkey-verifier.js';
import type { Secrets } from './ports/secrets.js';
import type { Calendar } from '../time/calendar.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { GroupId } from '../values/people/group.js';
import type { Credential, UserIdentity } from './values/access.js';
import type { Role } from './values/roles.js';
import type { Timestamp } from '../values/timestamp.js';
import type { Principal } from './principal.js';
import type { IdentityRules, LinkChoice } from './provider/identities.js';

export interface AccessDependencies {
  /** Its maker opens it before the service, and closes it after the service. */
  readonly store: AccessStore;
  readonly secrets: Secrets;
  /**
   * Whether attackers try a password first, so that it is refused. Gets the password in Unicode NFC. `isCommonPassword` of
   * `@tallybook/system` knows the 4,000 most common ones.
   */
  readonly isCommonPassword: (password: string) => boolean;
  /** Default: there are no passkeys. */
  readonly passkeys?: PasskeyVerifier | undefined;
  readonly timekeeper: Timekeeper;
  readonly calendar: Calendar;
  readonly audit?: AuditNotes;
  /** Identity provider at which people may sign in too. Default: none. */
  readonly provider?: IdentityProvider;
  /** Called with errors of work in the background: recording uses, reading the store again, writing the audit trail. */
  readonly onFault?: (error: unknown) => void;
}

export interface AccessOptions {
  /**
   * Whether nobody may do anything until somebody with the setup code has made the first user. Default: false, so that
   * everybody may do everything as long as there is no user.
   */
  readonly requiresClaim?: boolean;
  /**
   * Milliseconds between two looks for changes by other servers, 50..60000, default 60000. A session that another server
   * has ended may last here until the next look.
   */
  readonly lookMs?: number;
  /**
   * Which people of the identity provider become users. Default: nobody; only users whom admins have linked can sign in
   * with it.
   */
  readonly identityRules?: IdentityRules;
}

/**
 * - `open`: there is no user, and everybody may do everything.
 * - `unclaimed`: there is no user, and people can only claim the service.
 * - `claimed`: there are users.
 */
export type AccessState = 'open' | 'unclaimed' | 'claimed';

/**
 * How a request came. Others can listen to `http`, and the browser sends its cookies to every service on the same host.
 */
export type Transport = 'https' | 'http';

/** Browser and network from which somebody signs in. */
export interface Origin {
  /** Network address, for the throttle. */
  readonly address: string;
  readonly transport: Transport;
  /** Name of the session in lists, such as the browser; cut to 100 characters. */
  readonly label: string;
  /** The {@link SignedIn.knownBrowser} that the browser has kept; untrusted. */
  readonly knownBrowser?: string | undefined;
}

/** Properties of a user to add or to change; untrusted. */
export interface UserChoice extends LinkChoice {
  readonly name: unknown;
  /** One of `roles`. */
  readonly role?: unknown;
  /** The ids of groups that the user is bound to; only a `viewer` or `desk` may be. Empty: to none. Default: unchanged. */
  readonly groups?: unknown;
  readonly password?: unknown;
  /** `true`: only adds, and changes nobody. Default: `false`. */
  readonly isNew?: unknown;
  /** `true`: the tokens that the user made end too, except those of devices, as when the user is removed. Default: `false`. */
  readonly endTokens?: unknown;
}

/** The present password of a user and the new one; untrusted. */
export interface NewPassword {
  readonly current: unknown;
  readonly password: unknown;
  /** As in {@link Origin}. */
  readonly address: string;
}

/** How a browser signs in at the identity provider. */
export interface ProviderStart extends SignInStart {
  /** Seconds for which the ticket is valid. */
  readonly seconds: number;
}

/** A new session. */
export interface SignedIn {
  /** Proves who a request comes from. The service does not store it. */
  readonly secret: string;
  readonly principal: Principal;
  readonly expiresAt: Timestamp;
  /**
   * For the browser to keep. Wrong passwords that others try for this user do not delay a browser with this mark.
   * Letters, digits, `-` and `_`. Only after a sign-in with the password.
   */
  readonly knownBrowser?: string | undefined;
}

/** A new session of somebody who signed in at the identity provider. */
export interface SignedInElsewhere extends SignedIn {
  /** Tells the provider at the end of this session who signs out there. The service does not store it. */
  readonly signOutHint: ProvenIdentity['signOutHint'];
}

/** Properties of a user that others may see. */
export interface UserView {
  readonly name: string;
  readonly role: Role;
  /** The groups that the user is bound to, ascending. Empty: to none. */
  readonly groups: readonly GroupId[];
  readonly createdAt: Timestamp;
  readonly hasPassword: boolean;
  /** Absent for a user who does not sign in with the identity provider. */
  readonly identity?: UserIdentity;
}

/** Properties of a session or a token that others may see. The role of a session is the role of its user. */
export type CredentialView = Omit<Credential, 'digest'>;
