import { ref } from '../schema.js';
import { FORM, PUSH_MAX_BYTES } from '../../readers/read-pushed.js';
import { failure, internalError, notStored, type Paths } from '../operation.js';

/** `/api/readers/{name}/readings`. */
export const pushPaths: Paths = {
  '/api/readers/{name}/readings': {
    post: {
      operationId: 'pushReadings',
      summary:
        'Send scans to a reader that is configured as http:NAME. The answer comes when the outcome of each is certain',
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
        description: `In UTF-8, at most ${PUSH_MAX_BYTES} bytes. A form has the fields of one reading, and \`run\`. Text is one id.`,
        required: true,
        content: {
          'application/json': { schema: ref('PushedReadings') },
          [FORM]: { schema: { type: 'object' } },
          'text/plain': { schema: { type: 'string' } },
        },
      },
      responses: {
        200: {
          description: 'The device may delete all readings: each is stored, or can never be accepted.',
          headers: notStored,
          content: { 'application/json': { schema: ref('PushResults') } },
        },
        400: failure('The body has none of these forms, or `run` is invalid; the answer gives the reason.'),
        403: failure('The request comes from a page of another site, or the token is for another reader.'),
        404: failure('There is no such reader.'),
        413: failure('The body is too large, or has too many readings.'),
        415: failure('The type of the body is not supported, or the body is compressed.'),
        429: failure('Too many requests of this reader are waiting. `Retry-After` says when to try again.'),
        500: internalError,
        503: failure(
          'Some readings could not be kept: send all of them again. Readings with a number are not recorded twice. `Retry-After` says when to try again.',
        ),
      },
    },
  },
};
