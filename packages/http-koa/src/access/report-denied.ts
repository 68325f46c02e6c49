import type Koa from 'koa';
import type { FailedRequest } from '../answers/answer-errors.js';
import { problemOf } from '../answers/problem.js';
import { clientNetworkOf, type ClientAddressOf } from '../requests/client-network.js';
import { principalOf } from './principal-of.js';

/** A request that was answered with 401 or 403. */
export interface DeniedRequest extends FailedRequest {
  readonly status: 401 | 403;
  /** User or token of the request; `nobody` without a valid one. */
  readonly actor: string;
  /** The client as limits count it; `undefined`: this machine. */
  readonly client: string | undefined;
}

/** Called for every request without the right for it, but for signing in and setting up, which the audit trail has. */
export type ReportDenied = (request: DeniedRequest) => void;

/** Stands for paths that the service does not have: people paste ids and secrets into those. */
const OTHER_PATH = 'another path';

const toldByAudit: ReadonlySet<string> = new Set([
  '/api/session',
  '/api/session/passkey',
  '/api/session/provider/answer',
  '/api/setup',
]);

/**
 * Reports requests that are refused for want of rights. It does not change them.
 *
 * @param paths Paths of the service: no others are reported.
 */
export function reportDenied(
  report: ReportDenied,
  addressOf: ClientAddressOf,
  paths: ReadonlySet<string>,
): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { status } = problemOf(error);
      const { method, path } = ctx;
      if ((status === 401 || status === 403) && !toldByAudit.has(path)) {
        const client = clientNetworkOf(addressOf(ctx.req));
        const known = paths.has(path) ? path : OTHER_PATH;
        report({ method, path: known, status, actor: principalOf(ctx).name, client });
      }
      throw error;
    }
  };
}
