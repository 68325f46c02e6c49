import { CORRECTIONS_AT_ONCE_MAX, REASON_LENGTH } from '@tallybook/domain/record';
import { array, object, orNull, ref, string, type Schema } from './schema.js';
import {
  betweenMoments,
  cacheable,
  failure,
  inFormat,
  internalError,
  jsonRequest,
  madeOf,
  momentary,
  ofOneDay,
  ofOneTag,
  readable,
  refusedBodies,
  type Paths,
} from './operation.js';

const action: Schema = {
  enum: ['add', 'void'],
  description: '`add`: a scan was forgotten, or was voided by mistake. `void`: a scan was wrong.',
};

const reason: Schema = string(
  `One line of ${REASON_LENGTH.shortest} to ${REASON_LENGTH.longest} characters.`,
);

const principal: Schema = string(
  'The name of a user, `token LABEL`, `console`, or `anyone` where access is not restricted.',
);

const seconds: Schema = array(ref('Timestamp'));

/** Values of `/api/corrections` and `/api/scans`. */
export const correctionSchemas: Readonly<Record<string, Schema>> = {
  NewCorrection: object(
    {
      action,
      day: ref('Day'),
      id: ref('TypedId'),
      format: ref('IdFormat'),
      at: ref('Timestamp', 'The second of the scan.'),
      reason,
    },
    {
      optional: ['format'],
      description: 'A new correction.',
      examples: [
        { action: 'add', day: 20_411, id: '04A2B3C4D5', at: 1_763_535_600, reason: 'Forgot to tap' },
      ],
    },
  ),
  NewCorrections: {
    description: 'One correction, or several. Of several, all are made or none.',
    oneOf: [
      ref('NewCorrection'),
      object({
        corrections: {
          type: 'array',
          items: ref('NewCorrection'),
          minItems: 1,
          maxItems: CORRECTIONS_AT_ONCE_MAX,
        },
      }),
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
      at: ref('Timestamp', 'The second of the scan.'),
      reason,
      author: principal,
      madeAt: ref('Timestamp'),
      state: { enum: ['approved', 'pending', 'rejected'], description: 'Only approved corrections count.' },
      decidedBy: orNull(principal, 'The person who decided; null if nobody did.'),
      decidedAt: orNull(ref('Timestamp')),
      decisionReason: orNull(reason),
    },
    required: [
      ...['number', 'action', 'day', 'id', 'at', 'reason', 'author', 'madeAt', 'state'],
      ...['decidedBy', 'decidedAt', 'decisionReason'],
    ],
  },
  Corrections: array(ref('Correction')),
  Decision: object(
    {
      number: { type: 'integer', minimum: 1, description: 'Number of a pending correction.' },
      approve: { type: 'boolean' },
      reason: orNull(reason),
    },
    { optional: ['reason'] },
  ),
  Scans: object(
    {
      at: { ...seconds, description: 'Recorded scans, void or not.' },
      added: { ...seconds, description: 'Scans added by corrections.' },
      voided: { ...seconds, description: 'Void scans, recorded or added.' },
    },
    'The individually known scans of a tag on a day, each list ascending.',
  ),
};

/** Corrections of the record, and the scans that they concern. */
export const correctionPaths: Paths = {
  '/api/corrections': {
    ...readable({
      operationId: 'listCorrections',
      summary: 'List the corrections in a range of days, ascending by day and number',
      parameters: betweenMoments,
      responses: {
        ...cacheable('The corrections.', 'Corrections'),
        400: failure('A parameter is missing, invalid or given twice.'),
        500: internalError,
      },
    }),
    post: {
      operationId: 'correctRecord',
      summary: 'Add forgotten scans and void wrong ones. Durable when the answer comes',
      requestBody: jsonRequest('NewCorrections'),
      responses: {
        201: { ...madeOf('Corrections'), description: 'The corrections, in the order of the request.' },
        400: failure('A field is missing or invalid; the answer names the field and the reason.'),
        404: failure('There is no such scan to void.'),
        409: failure(
          'It would change nothing: the scan counts already, is void already, or the same correction waits for approval.',
        ),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/corrections/decision': {
    post: {
      operationId: 'decideCorrection',
      summary: 'Approve or reject a pending correction of somebody else',
      requestBody: jsonRequest('Decision'),
      responses: {
        200: { ...madeOf('Correction'), description: 'The correction as it is now.' },
        400: failure('A field is missing or invalid; the answer names the field and the reason.'),
        403: failure('The correction is your own, or the request comes from a page of another site.'),
        404: failure('There is no such correction.'),
        409: failure('The correction is decided already.'),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/scans': readable({
    operationId: 'listScans',
    summary: 'List the scans of a tag on a day',
    parameters: [...ofOneDay, { ...ofOneTag, required: true }, inFormat],
    responses: {
      ...momentary('Scans'),
      400: failure('A parameter is missing, invalid or given twice.'),
      404: failure('Neither timestamp nor day is given.'),
      500: internalError,
    },
  }),
};
