import type { AuditAction, AuditDetails } from '../values/audit.js';

/** Takes down what somebody did. */
export interface AuditNotes {
  /**
   * Resolves when it is written, and never rejects: what was done is not undone because it could not be noted.
   *
   * @param actor The name of a `Principal`.
   * @param details Days and counts; never ids of tags, names of recorded persons, passwords or secrets. Default: none.
   */
  note(actor: string, action: AuditAction, details?: AuditDetails): Promise<void>;
}
