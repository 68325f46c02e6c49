import { internalError, readable, type Paths } from '../operation.js';

export const eventPaths: Paths = {
  '/api/idevent': readable({
    operationId: 'streamEvents',
    summary:
      'Every tap, live: `msg` with the bare TallyId at once, then `attendance` when the scan is recorded, or `failed`; `names` when names have changed, `day` when a day was removed, merged or corrected, and `reset` when changes may be missing',
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        description:
          'Sent by a client that connects again: it gets every change after this event, or a `reset` if the event is unknown.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description:
          'Server-sent events. The data is JSON: an Attendance for `attendance`, a Failed for `failed`, a NameCounts for `names`, a DayChange for `day`, a Reset for `reset`. Only the data of `msg` is a bare TallyId. `msg` and `failed` have no id.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      500: internalError,
    },
  }),
};
