import { anyone, nobody, type Principal } from '@tallybook/domain/access';
import type Koa from 'koa';

interface State {
  /** Set by the routes of the interface. */
  principal?: Principal;
  /** Identifies the sender of a request to any other route. */
  identify?: () => Principal;
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

export function setPrincipal(ctx: Koa.Context, principal: Principal): void {
  (ctx.state as State).principal = principal;
}

/**
 * Lets {@link principalOf} identify the senders of requests to further routes.
 *
 * @param admission `undefined` where access is not restricted.
 */
export function identifyBy(
  admission: { principalOf(ctx: Koa.Context): Principal } | undefined,
): Koa.Middleware {
  return (ctx, next) => {
    const state = ctx.state as State;
    // Found for an unknown path of the interface.
    delete state.principal;
    state.identify = () => admission?.principalOf(ctx) ?? anyone;
    return next();
  };
}
