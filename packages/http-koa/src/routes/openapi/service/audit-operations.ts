import { AUDIT_DEFAULT_LIMIT, AUDIT_MAX_LIMIT } from '../../service/routes-audit.js';
import { failure, internalError, momentary, readable, type Parameter, type Paths } from '../operation.js';

const whichEntries: readonly Parameter[] = [
  {
    name: 'after',
    in: 'query',
    description: 'Number after which entries are listed. Default: the latest entries.',
    schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
  },
  {
    name: 'limit',
    in: 'query',
    description: `Maximum number of entries: 1 to ${AUDIT_MAX_LIMIT}, default ${AUDIT_DEFAULT_LIMIT}.`,
    schema: { type: 'string', pattern: '^[0-9]{1,4}$' },
  },
];

/** The audit trail. */
export const auditPaths: Paths = {
  '/api/audit': readable({
    operationId: 'readAudit',
    summary: 'Who did what and when: the audit trail',
    parameters: whichEntries,
    responses: {
      ...momentary('AuditPage'),
      400: failure('A parameter is invalid or given twice.'),
      500: internalError,
    },
  }),
};
