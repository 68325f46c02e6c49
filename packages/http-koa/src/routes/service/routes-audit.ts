import type { AuditTrail } from '@tallybook/domain/access';
import { AUDIT_DEFAULT_LIMIT } from '@tallybook/http-contract';
import type { Handlers } from '../implement.js';

/** Who did what and when. */
export function auditHandlers(trail: Pick<AuditTrail, 'page'>): Handlers<'GET /api/audit'> {
  return {
    'GET /api/audit': ({ query: { after, limit = AUDIT_DEFAULT_LIMIT } }) => trail.page(after, limit),
  };
}
