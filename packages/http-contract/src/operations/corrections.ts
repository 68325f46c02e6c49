import { CORRECTIONS_AT_ONCE_MAX, REASON_LENGTH } from '@tallybook/domain/record';
import {
  array,
  boolean,
  component,
  described,
  either,
  integer,
  named,
  object,
  oneOf,
  optional,
  orNull,
  parsed,
  string,
  type Schema,
  type TypeOf,
} from '../schema.js';
import { cached, fields, json, jsonBody, operation, refusal } from '../operation.js';
import { Day, IdFormat, inFormat, ofDays, ofOneDay, TallyId, Timestamp, TypedId } from '../values.js';

const action = oneOf(
  ['add', 'void'],
  '`add`: a scan was forgotten, or was voided by mistake. `void`: a scan was wrong.',
);

const reason = string(`One line of ${REASON_LENGTH.shortest} to ${REASON_LENGTH.longest} characters.`);

const principal = string(
  'The name of a user, `token LABEL`, `console`, or `anyone` where access is not restricted.',
);

const number = integer({ minimum: 1, description: 'Later corrections have larger numbers.' });

export const NewCorrection = component(
  'NewCorrection',
  {
    action,
    day: Day,
    id: TypedId,
    format: optional(IdFormat),
    at: described(Timestamp, 'The second of the scan.'),
    reason,
  },
  {
    description: 'A new correction.',
    examples: [{ action: 'add', day: 20_411, id: '04A2B3C4D5', at: 1_763_535_600, reason: 'Forgot to tap' }],
  },
);
export type NewCorrection = TypeOf<typeof NewCorrection>;

const NewCorrections = named(
  'NewCorrections',
  either(
    [
      NewCorrection,
      object({
        corrections: array(NewCorrection, { minItems: 1, maxItems: CORRECTIONS_AT_ONCE_MAX }),
      }),
    ],
    'One correction, or several. Of several, all are made or none.',
  ),
);

export const Correction = component(
  'Correction',
  {
    number,
    action,
    day: Day,
    id: TallyId,
    at: described(Timestamp, 'The second of the scan.'),
    reason,
    author: principal,
    madeAt: Timestamp,
    state: oneOf(['approved', 'pending', 'rejected'], 'Only approved corrections count.'),
    decidedBy: orNull(principal, 'The person who decided; null if nobody did.'),
    decidedAt: orNull(Timestamp),
    decisionReason: orNull(reason),
  },
  'A correction, stored beside the record. It changes no scan.',
);
export type Correction = TypeOf<typeof Correction>;

const Corrections = named('Corrections', array(Correction));

const seconds = (description: string): Schema<readonly number[]> => array(Timestamp, description);

export const Scans = component(
  'Scans',
  {
    at: seconds('Recorded scans, void or not.'),
    added: seconds('Scans added by corrections.'),
    voided: seconds('Void scans, recorded or added.'),
  },
  'The individually known scans of a tag on a day, each list ascending.',
);
export type Scans = TypeOf<typeof Scans>;

/** Corrections of the record, and the scans that they concern. */
export const correctionOperations = {
  'GET /api/corrections': operation({
    id: 'listCorrections',
    summary: 'List the corrections in a range of days, ascending by day and number',
    action: 'see-record',
    isByGroup: true,
    query: ofDays,
    answers: cached(Corrections, 'The corrections.'),
  }),
  'POST /api/corrections': operation({
    id: 'correctRecord',
    summary: 'Add forgotten scans and void wrong ones. Durable when the answer comes',
    action: 'correct-record',
    isByGroup: true,
    body: jsonBody(NewCorrections),
    answers: {
      201: json(Corrections, 'The corrections, in the order of the request.'),
      404: refusal('There is no such scan to void.'),
      409: refusal(
        'It would change nothing: the scan counts already, is void already, or the same correction waits for approval.',
      ),
    },
  }),
  'POST /api/corrections/decision': operation({
    id: 'decideCorrection',
    summary: 'Approve or reject a pending correction of somebody else',
    action: 'decide-corrections',
    body: fields(
      {
        number: parsed('whole-number', described(number, 'Number of a pending correction.')),
        approve: parsed('flag', boolean()),
        reason: optional(parsed('reason', orNull(reason))),
      },
      'Decision',
    ),
    answers: {
      200: json(Correction, 'The correction as it is now.'),
      403: refusal('The correction is your own, or the request comes from a page of another site.'),
      404: refusal('There is no such correction.'),
      409: refusal('The correction is decided already.'),
    },
  }),
  'GET /api/scans': operation({
    id: 'listScans',
    summary: 'List the scans of a tag on a day',
    action: 'see-record',
    isByGroup: true,
    query: { ...ofOneDay, id: TypedId, format: inFormat() },
    answers: { 200: json(Scans), 404: refusal('Neither timestamp nor day is given.') },
  }),
};
