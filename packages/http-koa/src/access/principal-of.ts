import { anyone, type Principal } from '@tallybook/domain';
import type Koa from 'koa';

export function principalOf(ctx: Koa.Context): Principal {
  return (ctx.state as { principal?: Principal }).principal ?? anyone;
}
