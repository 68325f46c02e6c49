import { createHash } from 'node:crypto';
import {
  counted,
  PUSH_MAX_READINGS,
  quote,
  TallybookError,
  type PushedReadings,
  type PushResult,
  type PushSource,
} from '@tallybook/domain';
import Koa from 'koa';
import { anyone, authorise, type Principal } from '@tallybook/domain/access';
import { PUSH_MAX_BYTES, type PushResults } from '@tallybook/http-contract';
import { readBytes, isObject, readJson } from '../../requests/read-body.js';
import { principalOf } from '../../access/principal-of.js';
import { sendProblem } from '../../problem.js';
import type { Handlers } from '../implement.js';

const TEXT = 'text/plain';
const FORM = 'application/x-www-form-urlencoded';

const READING_FIELDS = ['id', 'n', 'at', 'ageMs'];
const FORM_FIELDS = [...READING_FIELDS, 'run'];

/** The run of a device that names no run. */
const RUN = '0';
const RUN_MAX_LENGTH = 64;

/**
 * Reads pushed readings: JSON with one reading, with `readings`, or with a bare list; a form with the fields of one reading; or a
 * bare id. Throws an HTTP error of 400, 403, 413 or 415. Unknown fields are refused, because a misspelt field, such as the time,
 * would be lost. Readings are not checked further here.
 */
async function readPushed(ctx: Koa.Context): Promise<PushedReadings> {
  const type = ctx.is(TEXT, FORM);
  if (type !== TEXT && type !== FORM) return fromJson(ctx, await readJson(ctx, PUSH_MAX_BYTES, [TEXT, FORM]));
  refuseForeignPages(ctx);
  const text = (await readBytes(ctx, PUSH_MAX_BYTES)).toString().trim();
  if (type === FORM) return fromForm(ctx, text);
  return text === '' ? ctx.throw(400, 'the body must be an id; it is empty') : { run: RUN, readings: [text] };
}

function fromJson(ctx: Koa.Context, body: unknown): PushedReadings {
  if (Array.isArray(body)) return { run: RUN, readings: soundList(ctx, body) };
  if (!isObject(body)) {
    return ctx.throw(400, `the body must be a reading, {"readings":[…]} or a list; got ${quote(body)}`);
  }
  const { readings, run, ...reading } = body;
  if (readings !== undefined) {
    requireFields(ctx, reading, [], 'a request with readings has run beside them, and nothing else');
    if (!Array.isArray(readings)) return ctx.throw(400, `readings: must be a list; got ${quote(readings)}`);
    return { run: toRun(ctx, run), readings: soundList(ctx, readings) };
  }
  if (reading['id'] === undefined) ctx.throw(400, 'the body must have an id, or a list of readings');
  requireFields(ctx, reading, READING_FIELDS, 'a reading has id, n, at and ageMs, and a request run');
  return { run: toRun(ctx, run), readings: [reading] };
}

function fromForm(ctx: Koa.Context, text: string): PushedReadings {
  const form = new URLSearchParams(text);
  if (!form.has('id')) {
    ctx.throw(400, 'the form must have the field id; for JSON send Content-Type: application/json');
  }
  const fields = new Map<string, string>();
  // Ends at the first wrong field: a form may have a hundred thousand fields.
  for (const [name, value] of form) {
    if (!FORM_FIELDS.includes(name)) refuseField(ctx, name, 'a form has id, n, at, ageMs and run');
    if (fields.has(name)) ctx.throw(400, `${name}: must be given once`);
    fields.set(name, value);
  }
  const { run, ...reading } = Object.fromEntries(fields);
  return { run: toRun(ctx, run), readings: [reading] };
}

function soundList(ctx: Koa.Context, readings: readonly unknown[]): readonly unknown[] {
  if (readings.length > PUSH_MAX_READINGS) {
    ctx.throw(413, `there must be at most ${PUSH_MAX_READINGS} readings; got ${readings.length}`);
  }
  for (const reading of readings) {
    if (isObject(reading)) requireFields(ctx, reading, READING_FIELDS, 'a reading has id, n, at and ageMs');
  }
  return readings;
}

/** @param advice Names the allowed fields. */
function requireFields(ctx: Koa.Context, object: object, allowed: readonly string[], advice: string): void {
  const unknown = Object.keys(object).find((name) => !allowed.includes(name));
  if (unknown !== undefined) refuseField(ctx, unknown, advice);
}

function refuseField(ctx: Koa.Context, name: string, advice: string): never {
  return ctx.throw(400, `there is no field ${quote(name)} here: ${advice}; nothing was taken`);
}

/** The run may be a number, because boards count their starts. */
function toRun(ctx: Koa.Context, value: unknown): string {
  const run = Number.isSafeInteger(value) ? String(value) : (value ?? RUN);
  if (typeof run === 'string' && run !== '' && run.length <= RUN_MAX_LENGTH && run.isWellFormed()) return run;
  return ctx.throw(400, `run: must be text of 1 to ${RUN_MAX_LENGTH} characters; got ${quote(value)}`);
}

/** Browsers let any page send text and forms to other sites. Devices send no origin. */
function refuseForeignPages(ctx: Koa.Context): void {
  const { origin, host } = ctx.req.headers;
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).host !== host) {
    ctx.throw(403, 'a page of another site asked for this, which is refused');
  }
}

const TOKEN = 'token ';
/** Statuses of malformed requests of a device. */
const UNREADABLE: readonly number[] = [400, 413, 415];

/**
 * Takes readings of a device.
 *
 * If the label of a token of the role `device` is the name of a reader, the token is only for that reader, and has its own
 * numbers.
 */
export function pushHandlers(readers: readonly PushSource[]): Handlers<'POST /api/readers/{name}/readings'> {
  const byName = new Map(readers.map((reader) => [reader.name, reader]));

  /** Refuses an unknown reader. Only roles that may see the readers learn their names. */
  const refuse = (ctx: Koa.Context, name: string, { role }: Principal): never => {
    const none = `there is no http reader ${quote(name)}`;
    if (!authorise(role, 'see-service')) return ctx.throw(404, none);
    const names = [...byName.keys()];
    const known = names.length === 0 ? 'set one with --reader http:NAME' : `there are ${names.join(', ')}`;
    return ctx.throw(404, `${none}; ${known}`);
  };

  return {
    'POST /api/readers/{name}/readings': async ({ ctx, params: { name } }) => {
      const principal = principalOf(ctx);
      const own = ownReader(principal);
      if (own !== undefined && own !== name && byName.has(own)) {
        throw new TallybookError('NOT_ALLOWED', `this token is for the reader ${quote(own)}`);
      }
      const reader = byName.get(name) ?? refuse(ctx, name, principal);
      const { run, readings } = await readFor(ctx, reader);
      const isByHand = principal.role !== 'device';
      return answer(
        ctx,
        await pushTo(ctx, reader, { run: runOf(principal, reader, run), readings, isByHand }),
      );
    },
  };
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
function answer(ctx: Koa.Context, results: readonly PushResult[]): PushResults | undefined {
  const body = {
    acked: results.filter(({ outcome }) => outcome !== 'not-kept').length,
    results: results.map(({ n, outcome, error }) => ({
      n: n ?? null,
      outcome,
      code: error?.code,
      detail: error?.message,
    })),
  };
  if (body.acked === results.length) return body;
  sendProblem(ctx, {
    status: 503,
    detail: `${results.length - body.acked} of ${counted(results.length, 'reading')} could not be kept; send all of them again`,
    headers: { 'Retry-After': '5' },
    members: body,
  });
  return undefined;
}
