import { CORRECTIONS_AT_ONCE_MAX, REASON_LENGTH } from '@tallybook/domain/record';
import { ref, type Schema } from '../schema.js';

const action: Schema = {
  enum: ['add', 'void'],
  description: '`add`: a scan was forgotten, or was voided by mistake. `void`: a scan was wrong.',
};

const reason: Schema = {
  type: 'string',
  description: `One line of ${REASON_LENGTH.shortest} to ${REASON_LENGTH.longest} characters.`,
};

const principal: Schema = {
  type: 'string',
  description: 'The name of a user, `token LABEL`, `console`, or `anyone` where access is not restricted.',
};

const orNull = (schema: Schema): Schema => ({ oneOf: [schema, { type: 'null' }] });

const seconds: Schema = { type: 'array', items: ref('Timestamp') };

/** Values of `/api/corrections` and `/api/scans`. */
export const correctionSchemas: Readonly<Record<string, Schema>> = {
  NewCorrection: {
    type: 'object',
    description: 'A new correction.',
    properties: {
      action,
      day: ref('Day'),
      id: ref('TypedId'),
      format: ref('IdFormat'),
      at: { ...ref('Timestamp'), description: 'The second of the scan.' },
      reason,
    },
    required: ['action', 'day', 'id', 'at', 'reason'],
    examples: [{ action: 'add', day: 20_411, id: '04A2B3C4D5', at: 1_763_535_600, reason: 'Forgot to tap' }],
  },
  NewCorrections: {
    description: 'One correction, or several. Of several, all are made or none.',
    oneOf: [
      ref('NewCorrection'),
      {
        type: 'object',
        properties: {
          corrections: {
            type: 'array',
            items: ref('NewCorrection'),
            minItems: 1,
            maxItems: CORRECTIONS_AT_ONCE_MAX,
          },
        },
        required: ['corrections'],
      },
    ],
  },
  Correction: {
    type: 'object',
    description: 'A correction, stored beside the record. It changes no scan.',
    properties: {
      number: { type: 'integer', minimum: 1, description: 'Later corrections have larger numbers.' },
      action,
      day: ref('Day'),
      id: ref('TallyId'),
      at: { ...ref('Timestamp'), description: 'The second of the scan.' },
      reason,
      author: principal,
      madeAt: ref('Timestamp'),
      state: { enum: ['approved', 'pending', 'rejected'], description: 'Only approved corrections count.' },
      decidedBy: { ...orNull(principal), description: 'The person who decided; null if nobody did.' },
      decidedAt: orNull(ref('Timestamp')),
      decisionReason: orNull(reason),
    },
    required: [
      ...['number', 'action', 'day', 'id', 'at', 'reason', 'author', 'madeAt', 'state'],
      ...['decidedBy', 'decidedAt', 'decisionReason'],
    ],
  },
  Corrections: { type: 'array', items: ref('Correction') },
  Decision: {
    type: 'object',
    properties: {
      number: { type: 'integer', minimum: 1, description: 'Number of a pending correction.' },
      approve: { type: 'boolean' },
      reason: orNull(reason),
    },
    required: ['number', 'approve'],
  },
  Scans: {
    type: 'object',
    description: 'The individually known scans of a tag on a day, each list ascending.',
    properties: {
      at: { ...seconds, description: 'Recorded scans, void or not.' },
      added: { ...seconds, description: 'Scans added by corrections.' },
      voided: { ...seconds, description: 'Void scans, recorded or added.' },
    },
    required: ['at', 'added', 'voided'],
  },
};
