import { failure, internalError, madeOf, notStored, readable, type Paths } from '../operation.js';

/** Health of the service, for people, supervisors and Prometheus. */
export const healthPaths: Paths = {
  '/api/health': readable({
    operationId: 'readHealth',
    summary:
      'Health of the service and of each part. Everybody may read it; `detail` and `items` need the right `see-service`',
    responses: {
      200: { ...madeOf('Health'), description: 'The present state, good or bad: look at `status`.' },
      500: internalError,
    },
  }),
  '/api/health/live': readable({
    operationId: 'isLive',
    summary: 'Whether the process answers',
    responses: { 200: { ...madeOf('Live'), description: 'The process answers.' }, 500: internalError },
  }),
  '/api/health/ready': readable({
    operationId: 'isReady',
    summary: 'Whether the service can work: it is open, and the store can read and write',
    responses: {
      200: { ...madeOf('Ready'), description: 'The service can work.' },
      500: internalError,
      503: failure('The service cannot work; `/api/health` gives the reason.'),
    },
  }),
  '/api/metrics': readable({
    operationId: 'readMetrics',
    summary: 'Measurements for Prometheus. Counters of events begin at the first request',
    responses: {
      200: {
        description: 'The text format of Prometheus, version 0.0.4.',
        headers: notStored,
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      500: internalError,
    },
  }),
};
