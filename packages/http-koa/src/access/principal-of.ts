import { anyone, nobody, type Action, type Principal } from '@tallybook/domain/access';
import type Koa from 'koa';
import { Connections } from './connections.js';
import { requireSameOrigin } from './cross-site.js';

/** What {@link identifyBy} needs of an `Admission`. */
interface Admitting {
  principalOf(ctx: Koa.Context): Principal;
  identify(ctx: Koa.Context): Principal | Promise<Principal>;
  admit(ctx: Koa.Context, principal: Principal, action: Action): void;
}

interface State {
  /** Set by the routes of the interface. */
  principal?: Principal;
  /** Identifies the sender of a request to any other route. */
  identify?: () => Principal;
  /** Admits it. */
  admit?: (action: Action) => Promise<Principal>;
}

/**
 * The user or token that a request acts for: `nobody` without a valid proof, `anyone` where access is not restricted.
 *
 * In the routes that an app adds to the one of `createApp`, each call looks again: call it once more after a body. A change
 * that a page of another site asks for proves nothing. Outside this app it is `nobody`.
 */
export function principalOf(ctx: Koa.Context): Principal {
  const { principal, identify } = ctx.state as State;
  return principal ?? identify?.() ?? nobody;
}

/**
 * Admits a request to a route that an app adds, as the routes of the interface do: with the same rights, and the same answers
 * 401 and 403. Changes that a page of another site asks for are refused.
 *
 * @returns The user or token that the request acts for; `anyone` where access is not restricted.
 * @throws {TallybookError} Rejects with `NOT_CLAIMED`, `NOT_SIGNED_IN` and `NOT_ALLOWED`.
 */
export async function admit(ctx: Koa.Context, action: Action): Promise<Principal> {
  const { admit: admitTo } = ctx.state as State;
  if (admitTo === undefined) throw new TypeError('admit() is for routes that are added to createApp()');
  return admitTo(action);
}

export function setPrincipal(ctx: Koa.Context, principal: Principal): void {
  (ctx.state as State).principal = principal;
}

/**
 * Lets {@link principalOf} and {@link admit} identify the senders of requests to further routes.
 *
 * @param admission Where access is not restricted, the connections: pages of other sites are refused there too.
 */
export function identifyBy(admission: Admitting | Connections): Koa.Middleware {
  const admitting = admission instanceof Connections ? admittingAnyone(admission) : admission;
  return (ctx, next) => {
    const state = ctx.state as State;
    // Found for an unknown path of the interface.
    delete state.principal;
    state.identify = () => admitting.principalOf(ctx);
    state.admit = async (action) => {
      const principal = await admitting.identify(ctx);
      admitting.admit(ctx, principal, action);
      return principal;
    };
    return next();
  };
}

function admittingAnyone(connections: Connections): Admitting {
  const identify = (ctx: Koa.Context): Principal => {
    requireSameOrigin(ctx, connections, false);
    return anyone;
  };
  const principalOf = (ctx: Koa.Context): Principal => {
    try {
      return identify(ctx);
    } catch {
      return nobody;
    }
  };
  return { identify, principalOf, admit: () => undefined };
}
