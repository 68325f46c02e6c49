import { internalError, momentary, readable, type Paths } from '../operation.js';

export const readerPaths: Paths = {
  '/api/readers': readable({
    operationId: 'listReaders',
    summary: 'State of each reader',
    responses: { ...momentary('Readers'), 500: internalError },
  }),
};
