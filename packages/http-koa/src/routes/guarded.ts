import { anyone, type Principal } from '@tallybook/domain/access';
import type Koa from 'koa';
import type { Admission } from '../access/admission.js';
import { setPrincipal } from '../access/principal-of.js';
import type { Route } from './route.js';

/** A route with a check of the needed rights. */
export function guarded(route: Route, admission: Admission): Route {
  const { action, isByGroup, handle } = route;
  const handleFor = (ctx: Koa.Context, principal: Principal): unknown => {
    admission.admit(ctx, principal, action, isByGroup);
    return handle(ctx);
  };
  return {
    ...route,
    handle: (ctx) => {
      const found = admission.identify(ctx);
      return found instanceof Promise
        ? found.then((principal) => handleFor(ctx, principal))
        : handleFor(ctx, found);
    },
  };
}

/** A route without a check: everybody may do everything. */
export function unguarded(route: Route): Route {
  const handle: Route['handle'] = (ctx) => {
    setPrincipal(ctx, anyone);
    return route.handle(ctx);
  };
  return { ...route, handle };
}

/** Shows paths and their methods only to clients that have signed in. */
export function guardUnknownPaths(admission: Admission): Koa.Middleware {
  return async (ctx, next): Promise<void> => {
    if (/^\/api(?:\/|$)/i.test(ctx.path)) admission.require(await admission.identify(ctx), 'signed-in', true);
    await next();
  };
}
