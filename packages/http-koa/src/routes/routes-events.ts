import type Koa from 'koa';
import { principalOf } from '../access/principal-of.js';
import { sendProblem } from '../answers/problem.js';
import { eventStreamHeaders, type EventFeed } from '../events/event-feed.js';
import type { StreamPlaces } from '../events/stream-places.js';
import { clientNetworkOf, type ClientAddressOf } from '../requests/client-network.js';
import type { ReportLimited } from '../requests/limit-requests.js';
import type { Route } from './route.js';

export interface EventRouteParts {
  readonly events: EventFeed;
  readonly places: StreamPlaces;
  readonly addressOf: ClientAddressOf;
  readonly report: ReportLimited | undefined;
}

/** `GET /api/idevent`: every tap, live. */
export function eventRoutes({ events, places, addressOf, report }: EventRouteParts): readonly Route[] {
  const subscribe = (ctx: Koa.Context): void => {
    if (ctx.method === 'HEAD') {
      ctx.status = 200;
      ctx.set(eventStreamHeaders);
      return;
    }
    const network = clientNetworkOf(addressOf(ctx.req));
    const place = places.take({ network, session: principalOf(ctx).credential });
    if (typeof place === 'object') {
      const { limit, detail } = place;
      report?.(limit, network);
      sendProblem(ctx, { status: 429, detail, headers: { 'Retry-After': '10' } });
      return;
    }
    ctx.req.once('close', place);
    events.subscribe(ctx.res, ctx.get('Last-Event-ID'));
    ctx.respond = false;
  };
  return [{ method: 'GET', path: '/api/idevent', action: 'see-today', handle: subscribe }];
}
