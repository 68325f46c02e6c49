import { internalError, readable, type Paths } from '../operation.js';

export const eventPaths: Paths = {
  '/api/idevent': readable({
    operationId: 'streamEvents',
    summary:
      'Every tap, live: `msg` with the bare TallyId at once, then `attendance` when the scan is recorded, or `failed`. Also `names` when names change, `day` when a day is removed, merged or corrected, and `reset` when changes may be missing',
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        description:
          'Id of the last event, sent by a client that reconnects. The client gets every change after it, or a `reset` if the service does not have them all.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description:
          'Server-sent events with data in JSON: Attendance for `attendance`, Failed for `failed`, NameCounts for `names`, DayChange for `day`, and Reset for `reset`. The data of `msg` is a bare TallyId. `msg` and `failed` have no id.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      500: internalError,
    },
  }),
};
