import { inFormat, ofOneTag } from '../parameters.js';
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
      summary: 'List the erasures, as digests, for recipients of data who have to erase it too',
      responses: { ...momentary('Erasures'), 500: internalError },
    }),
    post: {
      operationId: 'erase',
      summary: 'Erase persons by their tags, from all data and for good, or show what would be erased',
      requestBody: jsonRequest('ErasureRequest'),
      responses: {
        ...momentary('ErasureReport'),
        400: failure('The body is not as described; the answer names the field and the reason.'),
        409: clockNotTrusted,
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/retention': {
    ...readable({
      operationId: 'readRetention',
      summary: 'The limit of the age of days, and the days that would be removed now',
      parameters: [
        {
          name: 'keep',
          in: 'query',
          description:
            'Lists what this limit would remove, such as `24months`, `400days` or `2years`. Default: the setting of the service.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        ...momentary('Retention'),
        400: failure('`keep` is not a valid limit, or is given twice.'),
        500: internalError,
      },
    }),
    post: {
      operationId: 'applyRetention',
      summary: 'Remove days that are too old, or only list them',
      requestBody: jsonRequest('RetentionRequest'),
      responses: {
        ...momentary('Retention'),
        400: failure('The body is not as described; the answer names the field and the reason.'),
        409: failure(
          'Nothing was removed: the clock may be wrong (`CLOCK_NOT_TRUSTED`), or somebody has to confirm the removal (`RETENTION_NOT_CONFIRMED`).',
        ),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/person/data': readable({
    operationId: 'readPersonData',
    summary: 'Everything stored about one tag',
    parameters: [{ ...ofOneTag, required: true }, inFormat],
    responses: {
      200: {
        description: 'JSON for people and programs. It is complete if it can be parsed.',
        headers: {
          ...notStored,
          'Content-Disposition': { schema: { type: 'string' }, description: 'A file name.' },
        },
        content: { 'application/json': { schema: ref('PersonData') } },
      },
      400: failure('The id is missing, given twice or invalid.'),
      500: internalError,
      503: failure('The maximum number of exports is running. `Retry-After` says when to try again.'),
    },
  }),
};
