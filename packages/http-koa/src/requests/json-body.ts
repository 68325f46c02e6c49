import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { quote } from '@tallybook/domain';
import type Koa from 'koa';

/** Most bytes of a request body, before and after inflating: 16 KiB. */
export const BODY_MAX_BYTES = 16_384;

const JSON_TYPE = 'application/json';
const NO_BYTES = Buffer.alloc(0);
const TOO_LARGE = `the body must have at most ${BODY_MAX_BYTES} bytes`;

const inflaters = {
  gzip: promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
} as const;

type Coding = keyof typeof inflaters;

/** Reads the body of a request, which must be a JSON object. Throws what the request is refused with: 400, 413 or 415. */
export async function readJsonBody(ctx: Koa.Context): Promise<Readonly<Record<string, unknown>>> {
  const value = await readJson(ctx);
  return isObject(value) ? value : ctx.throw(400, `the body must be a JSON object; got ${quote(value)}`);
}

/** Reads the body of a request, which must be JSON of any kind. Throws what the request is refused with: 400, 413 or 415. */
export async function readJson(ctx: Koa.Context): Promise<unknown> {
  requireJson(ctx);
  const coding = codingOf(ctx);
  const bytes = await readBytes(ctx);
  return parse(ctx, coding === undefined ? bytes : await inflate(ctx, coding, bytes));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requireJson(ctx: Koa.Context): void {
  const type = ctx.req.headers['content-type'];
  // As nearly all clients say it: there is nothing to parse.
  if (type === JSON_TYPE) return;
  // It is null if there is no body, which is a mistake of another kind.
  if (ctx.is(JSON_TYPE) === false) {
    ctx.throw(415, `the body must be ${JSON_TYPE}; got ${quote(type)}`);
  }
  const { charset } = ctx.request;
  if (charset !== '' && !/^utf-?8$/i.test(charset)) {
    ctx.throw(415, `the body must be ${JSON_TYPE} in UTF-8; got the charset ${quote(charset)}`);
  }
}

/** How the body is compressed, `undefined` if it is not. */
function codingOf(ctx: Koa.Context): Coding | undefined {
  const coding = ctx.req.headers['content-encoding']?.trim().toLowerCase();
  if (coding === undefined || coding === 'identity') return undefined;
  if (Object.hasOwn(inflaters, coding)) return coding as Coding;
  const supported = Object.keys(inflaters).join(', ');
  return ctx.throw(415, `the body may be compressed with one of ${supported}; got ${quote(coding)}`, {
    headers: { 'Accept-Encoding': supported },
  });
}

/** The body as it came. What is too much of it may pass and is let go, so that the connection can be used again. */
async function readBytes(ctx: Koa.Context): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const isComplete = await new Promise<boolean>((resolve) => {
    ctx.req
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= BODY_MAX_BYTES) chunks.push(chunk);
        else resolve(true);
      })
      .on('end', () => resolve(true))
      // Without an end before it: the client went away, or took too long.
      .on('close', () => resolve(false));
  });
  if (length > BODY_MAX_BYTES) ctx.throw(413, TOO_LARGE);
  if (!isComplete) ctx.throw(400, 'the body did not arrive as a whole');
  const [first = NO_BYTES] = chunks;
  return chunks.length > 1 ? Buffer.concat(chunks) : first;
}

async function inflate(ctx: Koa.Context, coding: Coding, bytes: Buffer): Promise<Buffer> {
  try {
    return await inflaters[coding](bytes, { maxOutputLength: BODY_MAX_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') ctx.throw(413, TOO_LARGE);
    return ctx.throw(400, `the body is not what its Content-Encoding says, ${coding}`);
  }
}

function parse(ctx: Koa.Context, bytes: Buffer): unknown {
  if (bytes.length === 0) ctx.throw(400, 'the body must be JSON; it is empty');
  const text = decode(ctx, bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return ctx.throw(400, 'the body is not JSON');
  }
}

/** Throws at what is not UTF-8. A byte order mark is left out, which RFC 8259 section 8.1 allows. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(ctx: Koa.Context, bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return ctx.throw(400, 'the body must be JSON in UTF-8; it has bytes that are not UTF-8');
  }
}
