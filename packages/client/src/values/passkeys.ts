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
