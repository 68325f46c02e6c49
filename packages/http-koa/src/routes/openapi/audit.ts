import { auditActions } from '@tallybook/domain/access';
import { AUDIT_DEFAULT_LIMIT, AUDIT_MAX_LIMIT } from '../service/routes-audit.js';
import { array, boolean, object, string, type Schema } from './schema.js';
import {
  failure,
  internalError,
  momentary,
  query,
  readable,
  type Parameter,
  type Paths,
} from './operation.js';

const hash: Schema = { type: 'string', pattern: '^[0-9a-f]{64}$' };

/** Values of `/api/audit`. */
export const auditSchemas: Readonly<Record<string, Schema>> = {
  AuditEntry: object(
    {
      number: {
        type: 'integer',
        minimum: 1,
        description: 'One more than the number of the entry before it.',
      },
      at: { type: 'integer', minimum: 0, description: 'Seconds since 1970-01-01T00:00:00Z.' },
      actor: string(
        'The name of a user, `token LABEL`, `centre HOST`, `console`, `the service`, or `anyone` where access is not restricted.',
      ),
      action: { enum: auditActions },
      details: {
        type: 'object',
        description: 'Ids of tags, days, counts; never the name of a recorded person.',
        additionalProperties: { type: ['string', 'number', 'boolean'] },
      },
      previous: { ...hash, description: 'The `hash` of the entry before it; zeros for the first entry.' },
      hash: { ...hash, description: 'SHA-256 of the other fields in canonical JSON (RFC 8785).' },
    },
    'An entry of the audit trail: an action of a person, a program or the service.',
  ),
  AuditPage: object({
    entries: array({ $ref: '#/components/schemas/AuditEntry' }, 'Ascending by number.'),
    isWhole: boolean('Whether none of these entries is missing or was changed.'),
  }),
};

const whichEntries: readonly Parameter[] = [
  query('after', 'Number after which entries are listed. Default: the latest entries.', {
    type: 'string',
    pattern: '^[0-9]{1,15}$',
  }),
  query('limit', `Maximum number of entries: 1 to ${AUDIT_MAX_LIMIT}, default ${AUDIT_DEFAULT_LIMIT}.`, {
    type: 'string',
    pattern: '^[0-9]{1,4}$',
  }),
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
