import type Koa from 'koa';
import type { FailedRequest } from '../answers/answer-errors.js';
import { problemOf } from '../problem.js';
import { clientNetworkOf, type ClientAddressOf } from '../requests/client-network.js';
import { principalOf } from './principal-of.js';

/** A request that was answered with 401 or 403. */
export interface DeniedRequest extends FailedRequest {
  readonly status: 401 | 403;
  /** User or token of the request; `nobody` without a valid one. */
  readonly actor: string;
  /** The client, as the limits count it; `undefined` for this machine. */
  readonly client: string | undefined;
}

/**
 * Called for every request without the needed right. Failed sign-ins and set-ups are left out: the audit trail has
 * them.
 */
export type ReportDenied = (request: DeniedRequest) => void;

/** Stands for paths that the service does not have: people may paste ids and secrets into them. */
const OTHER_PATH = 'another path';

const toldByAudit: ReadonlySet<string> = new Set([
  '/api/session',
  '/api/session/passkey',
  '/api/session/provider/answer',
  '/api/setup',
]);

/**
 * Reports requests that are refused because a right is missing. It does not change them.
 *
 * @param paths Paths of the service. Only these are reported by name.
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
