import type { Day } from '@tallybook/domain';
import { mayDo } from '@tallybook/domain/access';
import type { Admission } from '../access/admission.js';
import { principalOf } from '../access/principal-of.js';
import { sendProblem } from '../problem.js';
import { eventStreamHeaders, type EventFeed } from '../events/event-feed.js';
import type { StreamPlaces } from '../events/stream-places.js';
import { clientNetworkOf, type ClientAddressOf } from '../requests/client-network.js';
import type { ReportLimited } from '../requests/limit-requests.js';
import type { Handlers } from './implement.js';

export interface EventParts {
  readonly events: EventFeed;
  readonly admission: Admission | undefined;
  readonly places: StreamPlaces;
  readonly today: () => Day;
  readonly addressOf: ClientAddressOf;
  readonly report: ReportLimited | undefined;
}

/** Every tap, live, as long as the principal of the request may see taps. */
export function eventHandlers(parts: EventParts): Handlers<'GET /api/idevent'> {
  const { events, admission, places, today, addressOf, report } = parts;
  return {
    'GET /api/idevent': ({ ctx }) => {
      if (ctx.method === 'HEAD') {
        ctx.status = 200;
        ctx.set(eventStreamHeaders);
        return;
      }
      // A client that has left while it was authenticated emits no `close` any more.
      if (ctx.req.destroyed) return;
      const principal = principalOf(ctx);
      const network = clientNetworkOf(addressOf(ctx.req));
      const leave = places.take(network);
      if (leave === undefined) {
        report?.('maxStreamsPerAddress', network);
        sendProblem(ctx, { status: 429, detail: places.refusal, headers: { 'Retry-After': '10' } });
        return;
      }
      ctx.req.once('close', leave);
      const only = mayDo(principal, 'see-record') ? undefined : today;
      const stream = places.begin(principal.credential, ctx.req, () =>
        events.subscribe(ctx.res, ctx.get('Last-Event-ID'), {
          only,
          within: principal.groups,
        }),
      );
      admission?.watch(ctx, stream);
      ctx.respond = false;
    },
  };
}
