import {
  failure,
  internalError,
  jsonRequest,
  notStored,
  readable,
  refusedBodies,
  type Paths,
} from '../operation.js';
import { ref } from '../schema.js';

export const timePaths: Paths = {
  '/api/time': {
    ...readable({
      operationId: 'readTime',
      summary: 'The time of the service. As JSON also whether the time is trusted',
      responses: {
        200: {
          description: 'Seconds since 1970-01-01T00:00:00Z as digits, or JSON if Accept prefers that.',
          headers: notStored,
          content: {
            'text/plain': { schema: { type: 'string', pattern: '^[0-9]+$' } },
            'application/json': { schema: ref('Time') },
          },
        },
        500: internalError,
      },
    }),
    post: {
      operationId: 'setTime',
      summary:
        'Set the time of the service, where no time server does. It holds until the service ends, and does not change the clock of the system',
      requestBody: jsonRequest('NewTime'),
      responses: {
        200: { description: 'The time is set. Empty body.' },
        400: failure(
          'The body is not JSON, or the time is missing, invalid, or earlier than the release of the program.',
        ),
        409: failure(
          'The clock of the system follows a time server, or the time has to be confirmed. Nothing was set.',
        ),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
};
