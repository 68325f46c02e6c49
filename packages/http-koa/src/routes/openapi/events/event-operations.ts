import { internalError, readable, type Paths } from '../operation.js';

export const eventPaths: Paths = {
  '/api/idevent': readable({
    operationId: 'streamEvents',
    summary:
      'Every tap, live: `msg` with the bare TallyId at once, then `attendance` when it is written down, or `failed`; `names` when names have changed, `day` when a day was removed or merged, and `reset` when changes may be missing',
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        description:
          'Sent by a client that connects again: it gets every change after this one, or a `reset` if that is not known.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description:
          'Server-sent events. The data of `attendance` is an Attendance in JSON, that of `failed` a Failed, that of `names` a NameCounts, that of `day` a DayChange, and that of `reset` a Reset. `msg` and `failed` have no id.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      500: internalError,
    },
  }),
};
