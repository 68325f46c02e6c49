import { cacheable, failure, internalError, momentary, noRoom, readable, type Paths } from '../operation.js';
import { betweenMoments, ofOneDay } from '../parameters.js';

const noSuchDay = failure('Neither timestamp nor day is given, or the day has no record.');

/** The record of days, and the scans that are not in it yet. */
export const dayPaths: Paths = {
  '/api/day': {
    ...readable({
      operationId: 'readDay',
      summary: 'Who was there on one day',
      parameters: [
        ...ofOneDay,
        {
          name: 'expand',
          in: 'query',
          description: '`entries` adds the first scan, the last scan and the number of scans of each tag.',
          schema: { enum: ['entries'] },
        },
      ],
      responses: {
        ...cacheable('The record of the day.', 'AttendanceDay'),
        400: failure('A parameter is invalid or given twice.'),
        404: noSuchDay,
        500: internalError,
      },
    }),
    delete: {
      operationId: 'removeDay',
      summary: 'Remove the record of one day for good, for example after taps with a wrong clock',
      parameters: ofOneDay,
      responses: {
        204: { description: 'The record is removed durably.' },
        400: failure('A parameter is invalid or given twice.'),
        404: noSuchDay,
        500: internalError,
      },
    },
  },
  '/api/today': readable({
    operationId: 'readToday',
    summary: 'The time, and who is here today',
    responses: { ...momentary('Today'), 500: internalError, 503: noRoom },
  }),
  '/api/days': readable({
    operationId: 'listDays',
    summary: 'The days with a record between two moments, both days included',
    parameters: betweenMoments,
    responses: {
      ...cacheable('The days; empty if the day of `from` is later than the day of `to`.', 'Days'),
      400: failure('A parameter is missing, invalid or given twice.'),
      500: internalError,
    },
  }),
  '/api/provisional': readable({
    operationId: 'listProvisional',
    summary: 'The scans taken while the clock was not trusted',
    responses: { ...momentary('Provisional'), 500: internalError, 503: noRoom },
  }),
  '/api/backlog': readable({
    operationId: 'readBacklog',
    summary: 'Number of scans that wait in memory because the store cannot write',
    responses: { ...momentary('Backlog'), 500: internalError },
  }),
};
