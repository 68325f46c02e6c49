import type { Action, Principal } from '@tallybook/domain/access';
import type Koa from 'koa';
import { principalOf } from './access/principal-of.js';

type Request = Pick<Koa.Context, 'req' | 'state'>;

/** Who has admitted a request because of a right. */
interface Gatekeeper {
  /** Throws 401 or 403 if the sender does not have the right, and asks for this right from now on. */
  admit(ctx: Koa.Context, principal: Principal, action: Action): void;
  /** Throws 401 or 403 if the sender has lost the right. */
  requireStill(ctx: Request): void;
  readonly access: {
    /** Reads what other servers have changed, if any. */
    catchUp(): Promise<void>;
  };
}

interface State {
  gatekeeper?: Gatekeeper;
}

export function setGatekeeper(ctx: Request, gatekeeper: Gatekeeper): void {
  (ctx.state as State).gatekeeper = gatekeeper;
}

/**
 * Throws if the sender of a request has lost its right since it was admitted: called before each piece of an answer, and after
 * each step that may have taken long.
 */
export function requireStill(ctx: Request): void {
  (ctx.state as State).gatekeeper?.requireStill(ctx);
}

/** Throws if the sender of a request, which was admitted because of a smaller right, does not have this one. */
export function requireRight(ctx: Koa.Context, action: Action): void {
  (ctx.state as State).gatekeeper?.admit(ctx, principalOf(ctx), action);
}

/** As {@link requireStill}, also if it was lost at another server. Called after each body, and before the head of a long answer. */
export async function confirmRight(ctx: Request): Promise<void> {
  const { gatekeeper } = ctx.state as State;
  if (gatekeeper === undefined) return;
  await gatekeeper.access.catchUp();
  gatekeeper.requireStill(ctx);
}
