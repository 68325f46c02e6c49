import { ref } from '../schema.js';
import {
  failure,
  internalError,
  jsonRequest,
  momentary,
  notStored,
  readable,
  refusedBodies,
  type Paths,
} from '../operation.js';

const clockNotTrusted = failure('The clock may be wrong (`CLOCK_NOT_TRUSTED`).');

/** Erasing persons, removing old days, and the data of one person. */
export const personalPaths: Paths = {
  '/api/erasures': {
    ...readable({
      operationId: 'listErasures',
      summary: 'Erasures as digests, for recipients of data who have to erase it too',
      responses: { ...momentary('Erasures'), 500: internalError },
    }),
    post: {
      operationId: 'erase',
      summary: 'Erase persons by their tags, everywhere and for good, or show what would be erased',
      requestBody: jsonRequest('ErasureRequest'),
      responses: {
        ...momentary('ErasureReport'),
        400: failure('The body is not as described; the answer says which field and why.'),
        409: clockNotTrusted,
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/retention': {
    ...readable({
      operationId: 'readRetention',
      summary: 'The time for which days are kept, and the days that would be removed now',
      parameters: [
        {
          name: 'keep',
          in: 'query',
          description:
            'Show what this limit would remove: `24months`, `400days` or `2years`. Default: the setting of the service.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        ...momentary('Retention'),
        400: failure('`keep` is not such a time, or is given twice.'),
        500: internalError,
      },
    }),
    post: {
      operationId: 'applyRetention',
      summary: 'Remove days that are too old, or show them',
      requestBody: jsonRequest('RetentionRequest'),
      responses: {
        ...momentary('Retention'),
        400: failure('The body is not as described; the answer says which field and why.'),
        409: failure(
          'Nothing was removed: the clock may be wrong (`CLOCK_NOT_TRUSTED`), or somebody has to confirm it (`RETENTION_NOT_CONFIRMED`).',
        ),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/person/data': readable({
    operationId: 'readPersonData',
    summary: 'Everything stored about one tag',
    parameters: [
      {
        name: 'id',
        in: 'query',
        description: 'TallyId of the tag.',
        required: true,
        schema: ref('TallyId'),
      },
    ],
    responses: {
      200: {
        description: 'JSON for people and programs. If it can be parsed, it is complete.',
        headers: {
          ...notStored,
          'Content-Disposition': { schema: { type: 'string' }, description: 'The name of a file.' },
        },
        content: { 'application/json': { schema: ref('PersonData') } },
      },
      400: failure('The id is missing, invalid or given twice.'),
      500: internalError,
      503: failure('Too many exports are running. `Retry-After` says when to try again.'),
    },
  }),
};
