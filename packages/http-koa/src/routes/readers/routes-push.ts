import { createHash } from 'node:crypto';
import {
  counted,
  quote,
  TallybookError,
  type PushedReadings,
  type PushResult,
  type PushSource,
} from '@tallybook/domain';
import { anyone, authorise, type Principal } from '@tallybook/domain/access';
import Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { sendProblem } from '../../problem.js';
import { sendState } from '../../answers/representation.js';
import type { Route } from '../route.js';
import { readPushed } from './read-pushed.js';

const TOKEN = 'token ';
/** Statuses of malformed requests of a device. */
const UNREADABLE: readonly number[] = [400, 413, 415];

/**
 * `POST /api/readers/:name/readings`: takes readings of a device.
 *
 * If the label of a token of the role `device` is the name of a reader, the token is only for that reader, and has its own
 * numbers.
 */
export function pushRoutes(readers: readonly PushSource[]): readonly Route[] {
  const byName = new Map(readers.map((reader) => [reader.name, reader]));

  const push = async (ctx: Koa.Context): Promise<void> => {
    const name = String((ctx['params'] as Readonly<Record<string, string>>)['name']);
    const principal = principalOf(ctx);
    const own = ownReader(principal);
    if (own !== undefined && own !== name && byName.has(own)) {
      throw new TallybookError('NOT_ALLOWED', `this token is for the reader ${quote(own)}`);
    }
    const reader = byName.get(name) ?? refuse(ctx, name, principal);
    const { run, readings } = await readFor(ctx, reader);
    answer(ctx, await pushTo(ctx, reader, { run: runOf(principal, reader, run), readings }));
  };

  /** Refuses an unknown reader. Only roles that may see the readers learn their names. */
  const refuse = (ctx: Koa.Context, name: string, { role }: Principal): never => {
    const none = `there is no http reader ${quote(name)}`;
    if (!authorise(role, 'see-service')) return ctx.throw(404, none);
    const names = [...byName.keys()];
    const known = names.length === 0 ? 'set one with --reader http:NAME' : `there are ${names.join(', ')}`;
    return ctx.throw(404, `${none}; ${known}`);
  };

  return [{ method: 'POST', path: '/api/readers/:name/readings', action: 'push-readings', handle: push }];
}

/** The label of a device's token. */
function ownReader({ role, name }: Principal): string | undefined {
  return role === 'device' && name.startsWith(TOKEN) ? name.slice(TOKEN.length) : undefined;
}

/**
 * Only the own token of a reader uses the runs under their plain names; everybody else has separate runs. Otherwise somebody
 * could send a large number, and all later scans of the device would count as known.
 */
function runOf(principal: Principal, reader: PushSource, run: string): string {
  if (principal === anyone || ownReader(principal) === reader.name) return run;
  return createHash('sha256')
    .update(JSON.stringify([principal.name, run]))
    .digest('hex');
}

/** An unreadable request becomes a fault of the reader too, because nobody watches the device itself. */
async function readFor(ctx: Koa.Context, reader: PushSource): Promise<PushedReadings> {
  try {
    return await readPushed(ctx);
  } catch (error) {
    if (error instanceof Koa.HttpError && UNREADABLE.includes(error.status) && !ctx.req.readableAborted) {
      // The message does not have the content of the request: it may be an id, and erasures do not reach the log.
      const message = `a request was refused with ${error.status}; the answer to the device says why`;
      reader.noteUnreadable(new TallybookError('FRAME_INVALID', message));
    }
    throw error;
  }
}

async function pushTo(
  ctx: Koa.Context,
  reader: PushSource,
  pushed: PushedReadings,
): Promise<readonly PushResult[]> {
  const results = await reader.push(pushed);
  if (results !== undefined) return results;
  return ctx.throw(429, 'too many requests of this reader are waiting; try again', {
    headers: { 'Retry-After': '1' },
  });
}

/** After a 200, the device may forget all readings of the request. */
function answer(ctx: Koa.Context, results: readonly PushResult[]): void {
  const body = {
    acked: results.filter(({ outcome }) => outcome !== 'not-kept').length,
    results: results.map(({ n, outcome, error }) => ({
      n: n ?? null,
      outcome,
      code: error?.code,
      detail: error?.message,
    })),
  };
  if (body.acked === results.length) {
    sendState(ctx, body);
    return;
  }
  sendProblem(ctx, {
    status: 503,
    detail: `${results.length - body.acked} of ${counted(results.length, 'reading')} could not be kept; send all of them again`,
    headers: { 'Retry-After': '5' },
    members: body,
  });
}
