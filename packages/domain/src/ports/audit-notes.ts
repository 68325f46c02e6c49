/** Actions in the audit trail. */
export const auditActions = [
  'claimed',
  'setup-refused',
  'signed-in',
  'sign-in-refused',
  'signed-out',
  'user-added',
  'user-changed',
  'user-removed',
  'token-added',
  'passkey-added',
  'passkey-removed',
  'credential-revoked',
  'name-set',
  'name-removed',
  'names-imported',
  'person-added',
  'person-changed',
  'person-removed',
  'persons-merged',
  'person-split',
  'group-renamed',
  'groups-merged',
  /** What happened to a tag: `act`. */
  'holder-changed',
  /** Counts of names and corrections that came by synchronisation. */
  'synchronised',
  'corrected',
  'correction-decided',
  'exported',
  'backed-up',
  'imported',
  'person-exported',
  'person-erased',
  'retention-applied',
  /** Guests whose limit was over: `guests` of them. */
  'guests-erased',
  'day-removed',
  'time-set',
  /** Somebody had a publisher send its set-aside changes again, or go on after it stopped. */
  'sent-again',
  /** Somebody stored settings: their names. */
  'settings-stored',
  'restarted',
  'store-repaired',
  /** Entries older than `--audit-days` were removed: `through` is the number of the last one, and `hash` its hash. */
  'audit-shortened',
] as const;
export type AuditAction = (typeof auditActions)[number];

/**
 * Facts of an entry: days, counts, numbers of corrections. Never the name of a person who is recorded, nor the id of a tag:
 * an entry stays when its person is erased.
 */
export type AuditDetails = Readonly<Record<string, string | number | boolean>>;

/** Notes actions in the audit trail. */
export interface AuditNotes {
  /**
   * Resolves when the note is written, or waits in memory to be written. Never rejects: the action is not undone because its note
   * failed. Wait for it before you answer. Hand over the note in the same turn as the write, if it does not need its outcome.
   *
   * @param actor The name of a `Principal`.
   * @param details Days and counts; never ids of tags, names of recorded persons, passwords or secrets. Default: none.
   */
  note(actor: string, action: AuditAction, details?: AuditDetails): Promise<void>;
}
