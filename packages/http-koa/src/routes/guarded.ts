import { authorise, type Principal } from '@tallybook/domain';
import type Koa from 'koa';
import type { Admission } from '../access/admission.js';
import type { Route } from './route.js';

/** A route that only those reach who may. */
export function guarded(route: Route, admission: Admission): Route {
  const { action, handle } = route;
  const handleFor = (ctx: Koa.Context, principal: Principal): unknown => {
    const requirement =
      typeof action === 'function' && principal.role !== 'nobody'
        ? action(ctx, (what) => authorise(principal.role, what))
        : action;
    // Before anything is said about the request, one has to say who one is.
    admission.require(principal, typeof requirement === 'function' ? 'signed-in' : requirement);
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

/** Says which paths there are, and which methods they have, only to those who have said who they are. */
export function guardUnknownPaths(admission: Admission): Koa.Middleware {
  return async (ctx, next): Promise<void> => {
    if (/^\/api(?:\/|$)/i.test(ctx.path)) admission.require(await admission.identify(ctx), 'signed-in');
    await next();
  };
}
