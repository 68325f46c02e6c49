import type Router from '@koa/router';
import { eventStreamHeaders, type EventFeed } from '../events/event-feed.js';

/** `GET /api/idevent`: every tap, live. */
export function addEventRoutes(router: Router, events: EventFeed): void {
  router.get('/api/idevent', (ctx) => {
    if (ctx.method === 'HEAD') {
      ctx.status = 200;
      ctx.set(eventStreamHeaders);
      return;
    }
    events.subscribe(ctx.res, ctx.get('Last-Event-ID'));
    ctx.respond = false;
  });
}
