import { anyone, type Principal } from '@tallybook/domain/access';
import type Koa from 'koa';
import type { Admission, Requirement } from '../access/admission.js';
import { setPrincipal } from '../access/principal-of.js';

/** A method on a path, with its handler. `GET` answers `HEAD` too. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/api/${string}`;
  /** The needed right. */
  readonly action: Requirement;
  /** Whether it is answered by group. Default: no. */
  readonly isByGroup?: true;
  /** Whether it reads much of the store. If so, each client may request it less often. Default: no. */
  readonly isCostly?: true;
  readonly handle: (ctx: Koa.Context) => unknown;
}

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

/**
 * Calls the handlers of plain paths directly, and leaves all other requests to the router.
 *
 * Most paths are plain text, so a look-up finds the same handler as the router. The router tries every route, which took a
 * quarter of the time of a small answer.
 */
export function shortcut(routes: readonly Route[]): Koa.Middleware {
  const handlers = new Map<string, Route['handle']>();
  for (const { method, path, handle } of routes) {
    if (path.includes(':')) continue;
    handlers.set(`${method} ${path}`, handle);
    if (method === 'GET') handlers.set(`HEAD ${path}`, handle);
  }
  return (ctx, next): unknown => {
    const handle = handlers.get(`${ctx.req.method} ${ctx.request.path}`);
    return handle === undefined ? next() : handle(ctx);
  };
}
