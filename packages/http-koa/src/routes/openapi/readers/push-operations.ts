import { ref } from '../schema.js';
import { FORM, PUSH_MAX_BYTES } from '../../readers/read-pushed.js';
import { failure, internalError, notStored, type Paths } from '../operation.js';

/** `/api/readers/{name}/readings`. */
export const pushPaths: Paths = {
  '/api/readers/{name}/readings': {
    post: {
      operationId: 'pushReadings',
      summary:
        'Send scans of a reader with the setting http:NAME; the answer comes when the scans are stored',
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          description: 'The NAME of the reader.',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        description: `In UTF-8, at most ${PUSH_MAX_BYTES} bytes. A form has the fields of one reading, and \`run\`; text is a bare id.`,
        required: true,
        content: {
          'application/json': { schema: ref('PushedReadings') },
          [FORM]: { schema: { type: 'object' } },
          'text/plain': { schema: { type: 'string' } },
        },
      },
      responses: {
        200: {
          description: 'The device may forget all readings: each is stored, or can never be accepted.',
          headers: notStored,
          content: { 'application/json': { schema: ref('PushResults') } },
        },
        400: failure('The body has none of these forms, or `run` is invalid; the answer says which and why.'),
        403: failure('A page of another site sent the request, or the token is for another reader.'),
        404: failure('There is no such reader.'),
        413: failure('The body is too large, or has too many readings.'),
        415: failure('The body is of another type, or it is compressed.'),
        429: failure('Too many requests of this reader are waiting. `Retry-After` says when to try again.'),
        500: internalError,
        503: failure(
          'Some readings could not be kept: send all of them again. Readings with a number are not taken twice. `Retry-After` says when to try again.',
        ),
      },
    },
  },
};
