import type { AuditAction, AuditDetails } from '../values/audit.js';

/** Notes actions in the audit trail. */
export interface AuditNotes {
  /**
   * Resolves when the note is written or has failed. Never rejects: the action is not undone because its note failed.
   *
   * @param actor The name of a `Principal`.
   * @param details Days and counts; never ids of tags, names of recorded persons, passwords or secrets. Default: none.
   */
  note(actor: string, action: AuditAction, details?: AuditDetails): Promise<void>;
}
