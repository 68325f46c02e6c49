import { authorise } from '@tallybook/domain';
import type Koa from 'koa';
import type { Admission } from '../access/admission.js';
import { principalOf } from '../access/principal-of.js';
import { eventStreamHeaders, type EventFeed } from '../events/event-feed.js';
import type { Route } from './route.js';

/** `GET /api/idevent`: every tap, live, as long as whoever asked may see it. */
export function eventRoutes(events: EventFeed, admission: Admission | undefined): readonly Route[] {
  const subscribe = (ctx: Koa.Context): void => {
    if (ctx.method === 'HEAD') {
      ctx.status = 200;
      ctx.set(eventStreamHeaders);
      return;
    }
    const principal = principalOf(ctx);
    // What was missed may be of any day.
    const resumes = authorise(principal.role, 'see-record');
    const stream = events.subscribe(ctx.res, ctx.get('Last-Event-ID'), { resumes });
    admission?.watch(ctx, principal, stream);
    ctx.respond = false;
  };
  return [{ method: 'GET', path: '/api/idevent', action: 'see-today', handle: subscribe }];
}
