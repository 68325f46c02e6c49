import { anyone, type Principal } from '@tallybook/domain';
import type Koa from 'koa';

/** On whose behalf a request comes; `nobody` if it does not say, and `anyone` where access is not restricted. */
export function principalOf(ctx: Koa.Context): Principal {
  return (ctx.state as { principal?: Principal }).principal ?? anyone;
}

export function setPrincipal(ctx: Koa.Context, principal: Principal): void {
  (ctx.state as { principal?: Principal }).principal = principal;
}
