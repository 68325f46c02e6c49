import { CORRECTIONS_AT_ONCE_MAX, REASON_LENGTH } from '@tallybook/domain';
import { ref, type Schema } from '../schema.js';

const action: Schema = {
  enum: ['add', 'void'],
  description: '`add`: a scan was forgotten, or voided by mistake. `void`: a scan was wrong.',
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
      id: { type: 'string', description: 'The tag, in any spelling.' },
      at: { ...ref('Timestamp'), description: 'The second of the scan.' },
      reason,
    },
    required: ['action', 'day', 'id', 'at', 'reason'],
    examples: [{ action: 'add', day: 20_411, id: '04A2B3C4D5', at: 1_763_535_600, reason: 'Forgot to tap' }],
  },
  NewCorrections: {
    description: 'A correction, or several of which all are made or none.',
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
    description: 'A fact beside the record. No scan is changed by it.',
    properties: {
      number: { type: 'integer', minimum: 1, description: 'A later correction has a larger one.' },
      action,
      day: ref('Day'),
      id: ref('TallyId'),
      at: { ...ref('Timestamp'), description: 'The second of the scan.' },
      reason,
      author: principal,
      madeAt: ref('Timestamp'),
      state: { enum: ['approved', 'pending', 'rejected'], description: 'Only approved ones count.' },
      decidedBy: { ...orNull(principal), description: 'The second person, if one decided.' },
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
      number: { type: 'integer', minimum: 1, description: 'That of a pending correction.' },
      approve: { type: 'boolean' },
      reason: orNull(reason),
    },
    required: ['number', 'approve'],
  },
  Scans: {
    type: 'object',
    description: 'The scans of a tag on a day that are known one by one, each list ascending.',
    properties: {
      at: { ...seconds, description: 'What was recorded, void or not.' },
      added: { ...seconds, description: 'What counts by a correction, and was not recorded.' },
      voided: { ...seconds, description: 'Recorded or added, and void.' },
    },
    required: ['at', 'added', 'voided'],
  },
};
