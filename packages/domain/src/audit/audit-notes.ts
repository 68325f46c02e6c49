import type { AuditAction, AuditDetails } from '../values/audit.js';

/** Takes notes of what is done, for the audit trail. */
export interface AuditNotes {
  note(actor: string, action: AuditAction, details?: AuditDetails): Promise<void>;
}
