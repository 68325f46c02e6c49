import {
  cacheable,
  failure,
  internalError,
  jsonRequest,
  momentary,
  noPlace,
  notStored,
  readable,
  refusedBodies,
  type Paths,
} from '../operation.js';

/** Status of the service, and all its data. */
export const statusPaths: Paths = {
  '/api/status': readable({
    operationId: 'readStatus',
    summary: 'State of the program: version, time of the start, storage and publishers',
    responses: { ...momentary('Status'), 500: internalError },
  }),
  '/api/publishers/send-again': {
    post: {
      operationId: 'sendAgain',
      summary: 'A publisher sends its set-aside changes again, and goes on if it has stopped',
      requestBody: jsonRequest('SendAgain'),
      responses: {
        202: { description: 'It begins. `GET /api/status` shows how far it gets. Empty body.' },
        400: failure('The body is not JSON, or the name is missing.'),
        404: failure('There is no such publisher.'),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/export': readable({
    operationId: 'exportAll',
    summary: 'A backup of all data, as it was when the answer began',
    responses: {
      200: {
        description:
          'JSON Lines in the format of `tallybook import`. Complete only if the last line has the kind `end`.',
        headers: {
          ...notStored,
          'Content-Disposition': {
            schema: { type: 'string' },
            description: 'A file name, with the date if the clock is trusted.',
          },
        },
        content: { 'application/jsonl': { schema: { type: 'string' } } },
      },
      500: internalError,
      503: noPlace,
    },
  }),
  '/api/openapi.json': readable({
    operationId: 'readOpenApi',
    summary: 'This document',
    responses: cacheable('An OpenAPI 3.1 document.'),
  }),
};
