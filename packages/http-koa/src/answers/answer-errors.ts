import type Koa from 'koa';
import { requireStill } from '../held-right.js';
import { problemOf, sendProblem } from '../problem.js';
import type { Deliveries } from './deliveries.js';

/** A target with only a path and a query. */
const PLAIN_TARGET = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * Reduces the target to its path and query, whatever its form. For other forms, Koa would use a deprecated parser, which
 * makes Node write a warning, and would throw later.
 */
function keepPath(ctx: Koa.Context): void {
  const { url = '/' } = ctx.req;
  if (PLAIN_TARGET.test(url)) return;
  try {
    // The host of the target is checked elsewhere, in the unchanged target: `ctx.originalUrl`.
    const { pathname, search } = new URL(url.replace(/^\*/, '/*').replace(/^\//, 'http://localhost/'));
    ctx.req.url = pathname + search;
  } catch {
    ctx.throw(400, 'the target of the request is not a URL');
  }
}

/**
 * Headers of all answers, including files of the page. They prevent pages of other sites from reading an answer, even
 * as an image or a script.
 */
const fileHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Headers of every answer except files of the page, even of an answer that is not written by Koa. Browsers must neither
 * run such an answer nor show it in a frame.
 */
export const commonHeaders: Readonly<Record<string, string>> = {
  ...fileHeaders,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** A request that failed. The path has no query, because a query may hold personal data. */
export interface FailedRequest {
  readonly method: string;
  readonly path: string;
}

/** Called for every request that failed because of the service. */
export type ReportError = (error: unknown, request: FailedRequest) => void;

/** Answers requests that fail or match no route with a problem. Also watches that every answer ends. */
export function answerErrors(report: ReportError | undefined, deliveries: Deliveries): Koa.Middleware {
  return async (ctx, next) => {
    try {
      keepPath(ctx);
      await next();
      // The answer is not written by Koa.
      if (ctx.respond === false) {
        deliveries.watchUnsent(ctx.res);
        return;
      }
      if (ctx.method === 'GET') requireStill(ctx);
      if (ctx.status >= 400 && ctx.body === undefined) refuse(ctx);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) report?.(error, { method: ctx.method, path: ctx.path });
      sendProblem(ctx, problem);
    }
    // Has no effect after the headers were sent: Koa checks that.
    ctx.set(ctx.state['isFile'] === true ? fileHeaders : commonHeaders);
    deliveries.watch(ctx.res);
  };
}

/** The router has set the status, and `Allow` if it knows the path. */
function refuse(ctx: Koa.Context): never {
  if (ctx.status === 404) return ctx.throw(404, 'Not found');
  return ctx.throw(ctx.status, `Method not allowed; allowed here: ${ctx.response.get('Allow')}`);
}
