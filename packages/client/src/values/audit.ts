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
