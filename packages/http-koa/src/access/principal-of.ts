import { anyone, type Principal } from '@tallybook/domain';
import type Koa from 'koa';

/**
 * The user or token that a request acts for: `nobody` without a valid proof, `anyone` where access is not restricted.
 */
export function principalOf(ctx: Koa.Context): Principal {
  return (ctx.state as { principal?: Principal }).principal ?? anyone;
}

export function setPrincipal(ctx: Koa.Context, principal: Principal): void {
  (ctx.state as { principal?: Principal }).principal = principal;
}
