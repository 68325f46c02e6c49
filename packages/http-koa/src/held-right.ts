import type Koa from 'koa';

/** The right with which a request was admitted. */
interface HeldRight {
  /** Throws 401 or 403 if its sender has lost it. */
  readonly require: () => void;
  /** Reads what other servers have changed, if any. */
  readonly catchUp: () => Promise<void>;
}

interface State {
  right?: HeldRight;
}

export function holdRight(ctx: Koa.Context, right: HeldRight): void {
  (ctx.state as State).right = right;
}

/**
 * Throws if the sender of a request has lost its right since it was admitted: called before each piece of an answer, and after
 * each step that may have taken long.
 */
export function requireStill(ctx: Pick<Koa.Context, 'state'>): void {
  (ctx.state as State).right?.require();
}

/** As {@link requireStill}, also if it was lost at another server. Called after each body, and before the head of a long answer. */
export async function confirmRight(ctx: Koa.Context): Promise<void> {
  const { right } = ctx.state as State;
  if (right === undefined) return;
  await right.catchUp();
  right.require();
}
