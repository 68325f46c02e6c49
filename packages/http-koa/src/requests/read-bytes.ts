import { quote } from '@tallybook/domain';
import type Koa from 'koa';

/** The reader of bodies for each limit. */
const readers = new Map<number, Promise<Koa.Middleware>>();

/**
 * Reads the body of a request with koa-body, at most `maxBytes` of it. The caller has checked its type.
 *
 * The excess is received and dropped, so that the connection can be used again. Throws an HTTP error of 400, 413 or 415.
 *
 * @returns The bytes as they came; none if there is no body.
 */
export async function readBytes(ctx: Koa.Context, maxBytes: number): Promise<Buffer> {
  refuseCodings(ctx);
  const reader = readers.get(maxBytes) ?? loadReader(maxBytes);
  readers.set(maxBytes, reader);
  await (
    await reader
  )(ctx, () => Promise.resolve());
  const { body } = ctx.request;
  return Buffer.from(typeof body === 'string' ? body : '', 'latin1');
}

/**
 * koa-body undoes compression, but must not see any: the inflater that it pipes a body through has no error handler once
 * the body is too large, and one more broken byte ends the process.
 */
function refuseCodings(ctx: Koa.Context): void {
  const { headers } = ctx.req;
  const coding = headers['content-encoding'];
  if (coding === undefined) return;
  if (coding.trim().toLowerCase() !== 'identity') {
    ctx.throw(415, `the body must not be compressed; got the Content-Encoding ${quote(coding)}`, {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  // koa-body knows it in small letters only.
  delete headers['content-encoding'];
}

/** Loads koa-body, with the first body: a start does not pay for it. */
async function loadReader(maxBytes: number): Promise<Koa.Middleware> {
  const { koaBody } = await import('koa-body');
  return koaBody({
    // As bytes, one character for each: it takes any charset for UTF-8, and what is not UTF-8 for U+FFFD.
    textTypes: ['*/*'],
    textLimit: maxBytes,
    encoding: 'binary',
    json: false,
    urlencoded: false,
    multipart: false,
    onError: (error, ctx) => refuse(error, ctx, maxBytes),
  });
}

function refuse(error: Error & { readonly status?: number }, ctx: Koa.Context, maxBytes: number): never {
  if (error.status === 413) {
    ctx.req.resume();
    return ctx.throw(413, `the body must have at most ${maxBytes} bytes`);
  }
  // It may have arrived and still not be read when the client went away.
  if (ctx.req.readableAborted) return ctx.throw(400, 'the body did not arrive as a whole');
  throw error;
}
