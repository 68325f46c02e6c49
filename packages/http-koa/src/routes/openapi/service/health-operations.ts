import { failure, internalError, madeOf, notStored, readable, type Paths } from '../operation.js';

/** Health of the service, for people, supervisors and Prometheus. */
export const healthPaths: Paths = {
  '/api/health': readable({
    operationId: 'readHealth',
    summary: 'Health of the service and of each part; everybody may ask, and reasons need a right',
    responses: {
      200: { ...madeOf('Health'), description: 'As it is at this moment, whatever it is: look at `status`.' },
      500: internalError,
    },
  }),
  '/api/health/live': readable({
    operationId: 'isLive',
    summary: 'Whether the process answers',
    responses: { 200: { ...madeOf('Live'), description: 'It does.' }, 500: internalError },
  }),
  '/api/health/ready': readable({
    operationId: 'isReady',
    summary: 'Whether the service can do its work: it is open, and the store can read and write',
    responses: {
      200: { ...madeOf('Ready'), description: 'It can.' },
      500: internalError,
      503: failure('It cannot; `/api/health` says why.'),
    },
  }),
  '/api/metrics': readable({
    operationId: 'readMetrics',
    summary: 'Measurements for Prometheus; counters of events begin with the first request',
    responses: {
      200: {
        description: 'In its text format, version 0.0.4.',
        headers: notStored,
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      500: internalError,
    },
  }),
};
