/** Role of a user or a token. */
export type Role = 'device' | 'station' | 'kiosk' | 'viewer' | 'desk' | 'admin';

/** An action that needs a right. */
export type Action =
  | 'see-today'
  | 'see-record'
  | 'see-service'
  | 'push-readings'
  | 'sync-record'
  | 'see-stations'
  | 'change-names'
  | 'correct-record'
  | 'decide-corrections'
  | 'export-record'
  | 'back-up'
  | 'set-time'
  | 'remove-days'
  | 'manage-personal-data'
  | 'manage-access'
  | 'see-audit';

/** The user or token of a request, and its rights. */
export interface Session {
  /**
   * `open`: there are no users, and everybody may do everything. `unclaimed`: there are no users, and somebody has to set
   * the service up. `claimed`: people have to sign in.
   */
  readonly access: 'open' | 'unclaimed' | 'claimed';
  /** Name of the user, or label of the token; `null` without one. */
  readonly user: { readonly name: string; readonly role: Role } | null;
  readonly actions: readonly Action[];
  /** Whether the service is open to a network on purpose. */
  readonly insecure: boolean;
  /** Time at which the session or token ends, in seconds since 1970; `null` for never. */
  readonly expiresAt: number | null;
  /** Label of the identity provider where people may sign in too; `null` for none. */
  readonly provider: string | null;
  /**
   * Whether people can sign in here with a passkey: a user has one for this host, and browsers offer passkeys at this
   * address.
   */
  readonly passkeys: boolean;
}

/** How a user signs in at the identity provider. */
export interface UserProvider {
  /** The subject of the person there; `null` until the first sign-in. */
  readonly subject: string | null;
  /** Whether the provider decides on the role. */
  readonly grantsRole: boolean;
}

/** Somebody who may sign in. */
export interface User {
  readonly name: string;
  readonly role: Role;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly hasPassword: boolean;
  /** `null` for a user who does not sign in with the identity provider. */
  readonly provider: UserProvider | null;
}

/** A user to add or to change; absent properties do not change. */
export interface NewUser {
  readonly name: string;
  readonly role?: Role | undefined;
  readonly password?: string | undefined;
  /**
   * Whether the user signs in at the identity provider. Without `subject`, the first person with this name is linked.
   */
  readonly provider?: boolean | undefined;
  /** The identity provider's identifier of the person, 1 to 255 characters. */
  readonly subject?: string | undefined;
  /** Whether a user of this name is refused instead of changed. Default: `false`. */
  readonly isNew?: boolean | undefined;
  /** Whether the tokens that the user made end too, except those of devices. Default: `false`. */
  readonly endTokens?: boolean | undefined;
}

/** A session of a browser, or a token of a program. Times are seconds since 1970. */
export interface Credential {
  readonly id: string;
  readonly kind: 'session' | 'token';
  readonly role: Role;
  /** User of the session, or user who made the token. */
  readonly user: string | null;
  readonly label: string;
  readonly createdAt: number;
  /** `null` for never. */
  readonly expiresAt: number | null;
  /** The last day on which it was used, in days since 1970-01-01. */
  readonly lastUsed: number | null;
  /** Whether it is the credential of this request. */
  readonly isCurrent: boolean;
}

export interface NewToken {
  /** Name for people. */
  readonly label: string;
  readonly role: Role;
  /** Days until it ends, 1 to 3660. Default: never. */
  readonly days?: number | undefined;
}

/** A new token. The secret is shown only once. */
export interface Token {
  readonly id: string;
  readonly token: string;
}

/** A passkey for signing in without a password. */
export interface Passkey {
  readonly id: string;
  /** Name of its user. */
  readonly user: string;
  /** Name of the host that it is for. */
  readonly host: string;
  readonly label: string;
  /** Whether other devices of its owner have it too. */
  readonly isSynced: boolean;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** The last day on which it was used, in days since 1970-01-01; `null` before. */
  readonly lastUsed: number | null;
}

/**
 * Options of WebAuthn as JSON, for `PublicKeyCredential.parseRequestOptionsFromJSON` and
 * `parseCreationOptionsFromJSON`.
 */
export type PasskeyOptions = Readonly<Record<string, unknown>>;

/** One action in the audit trail. */
export interface AuditEntry {
  /** Number of the entry before, plus 1. */
  readonly number: number;
  /** Seconds since 1970. */
  readonly at: number;
  /** The name of a user, `token LABEL`, `centre HOST`, `console`, `the service`, or `anyone` where access is not restricted. */
  readonly actor: string;
  /** Such as `name-set`. Later versions have more. */
  readonly action: string;
  /** Days, counts, numbers of corrections, names of users. */
  readonly details: Readonly<Record<string, string | number | boolean>>;
  /** The `hash` of the entry before; zeros for the first one. */
  readonly previous: string;
  /** SHA-256 of the other fields in canonical JSON (RFC 8785). */
  readonly hash: string;
}

/** A part of the audit trail. */
export interface AuditPage {
  /** Ascending by number. */
  readonly entries: readonly AuditEntry[];
  /** Whether no entry among these is missing or was changed. */
  readonly isWhole: boolean;
}
