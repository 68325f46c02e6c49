/** Something that somebody did. */
export interface AuditEntry {
  /** One more than that of the entry before. */
  readonly number: number;
  /** Seconds since 1970. */
  readonly at: number;
  /** The name of a user, `token LABEL`, `centre HOST`, `console`, `the service`, or `anyone` where access is not restricted. */
  readonly actor: string;
  /** Such as `name-set`. Later versions have more. */
  readonly action: string;
  /** Ids of tags, days, counts. */
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
  /** Whether none of these is missing or was changed. */
  readonly isWhole: boolean;
}
