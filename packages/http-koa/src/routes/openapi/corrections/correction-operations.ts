import {
  cacheable,
  failure,
  internalError,
  jsonRequest,
  madeOf,
  momentary,
  readable,
  refusedBodies,
  type Paths,
} from '../operation.js';
import { betweenMoments, inFormat, ofOneDay, ofOneTag } from '../parameters.js';

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
