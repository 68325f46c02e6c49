import type { AuditAction, AuditDetails } from '../values/audit.js';

/** Where use cases note what somebody did. */
export interface AuditNotes {
  note(actor: string, action: AuditAction, details?: AuditDetails): Promise<void>;
}
