import { quote } from '@tallybook/domain';
import type Koa from 'koa';
import type { koaBody } from 'koa-body';
import { loadOnce } from '../load-once.js';

/** Reads the body of a request, at most so many bytes of it. */
export type ReadBytes = (ctx: Koa.Context, maxBytes: number) => Promise<Buffer>;

/** The part of koa-body that is used. */
interface KoaBody {
  readonly koaBody: typeof koaBody;
}

/**
 * Reads bodies with koa-body. The caller has checked the type.
 *
 * The excess is received and dropped, so that the connection can be used again. Throws an HTTP error of 400, 413 or 415. Gives the
 * bytes as they came; none if there is no body.
 */
export const readBytes: ReadBytes = bytesReader(() => import('koa-body'));

/** @param load Loads koa-body with the first body, so that a start does not. If it fails, the next body tries again. */
export function bytesReader(load: () => Promise<KoaBody>): ReadBytes {
  const loadKoaBody = loadOnce(load);
  const readers = new Map<number, Koa.Middleware>();
  const makeReader = async (maxBytes: number): Promise<Koa.Middleware> => {
    const loaded = await loadKoaBody();
    const reader = loaded.koaBody({
      // As bytes, one character for each: it takes any charset for UTF-8, and what is not UTF-8 for U+FFFD.
      textTypes: ['*/*'],
      textLimit: maxBytes,
      encoding: 'binary',
      json: false,
      urlencoded: false,
      multipart: false,
      onError: (error, ctx) => refuse(error, ctx, maxBytes),
    });
    readers.set(maxBytes, reader);
    return reader;
  };
  return async (ctx, maxBytes) => {
    refuseCodings(ctx);
    const reader = readers.get(maxBytes) ?? (await makeReader(maxBytes));
    await reader(ctx, done);
    const { body } = ctx.request;
    return Buffer.from(typeof body === 'string' ? body : '', 'latin1');
  };
}

const done = (): Promise<void> => Promise.resolve();

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

function refuse(error: Error & { readonly status?: number }, ctx: Koa.Context, maxBytes: number): never {
  if (error.status === 413) {
    ctx.req.resume();
    return ctx.throw(413, `the body must have at most ${maxBytes} bytes`);
  }
  // The body may have arrived as a whole, and not have been read when the client went away.
  if (ctx.req.readableAborted) return ctx.throw(400, 'the body did not arrive as a whole');
  throw error;
}
