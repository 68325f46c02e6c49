import type Koa from 'koa';
import { eventStreamHeaders, type EventFeed } from '../events/event-feed.js';
import type { Route } from './route.js';

/** `GET /api/idevent`: every tap, live. */
export function eventRoutes(events: EventFeed): readonly Route[] {
  const subscribe = (ctx: Koa.Context): void => {
    if (ctx.method === 'HEAD') {
      ctx.status = 200;
      ctx.set(eventStreamHeaders);
      return;
    }
    events.subscribe(ctx.res, ctx.get('Last-Event-ID'));
    ctx.respond = false;
  };
  return [{ method: 'GET', path: '/api/idevent', action: 'see-today', handle: subscribe }];
}
