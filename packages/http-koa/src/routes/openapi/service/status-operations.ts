import {
  cacheable,
  internalError,
  momentary,
  noPlace,
  notStored,
  readable,
  type Paths,
} from '../operation.js';

/** Status of the service, and all its data. */
export const statusPaths: Paths = {
  '/api/status': readable({
    operationId: 'readStatus',
    summary: 'State of the program: version, time of the start, storage and publishers',
    responses: { ...momentary('Status'), 500: internalError },
  }),
  '/api/export': readable({
    operationId: 'exportAll',
    summary: 'A backup: all stored data at the beginning of the answer',
    responses: {
      200: {
        description:
          'JSON Lines for `tallybook import`. The backup is complete only if the last line has the kind `end`.',
        headers: {
          ...notStored,
          'Content-Disposition': {
            schema: { type: 'string' },
            description: 'The name of a file, with the date if the clock is right.',
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
