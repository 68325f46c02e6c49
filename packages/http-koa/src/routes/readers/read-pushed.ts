import { PUSH_MAX_READINGS, quote, type PushedReadings } from '@tallybook/domain';
import type Koa from 'koa';
import { readBytes } from '../../requests/read-bytes.js';
import { isObject, readJson } from '../../requests/read-json.js';

/** Largest body with pushed readings: 256 KiB. */
export const PUSH_MAX_BYTES = 262_144;

const TEXT = 'text/plain';
export const FORM = 'application/x-www-form-urlencoded';

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
export async function readPushed(ctx: Koa.Context): Promise<PushedReadings> {
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
