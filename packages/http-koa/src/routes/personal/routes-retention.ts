import {
  formatKeep,
  isTallybookError,
  parseKeep,
  type Keep,
  type RetentionReport,
  type RetentionService,
} from '@tallybook/domain';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { Query } from '../../requests/query.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';
import { flagOf } from './flag-of.js';

/**
 * `GET /api/retention`: lists the days that are too old, by the setting or by the `keep` of the query; `POST`: removes
 * them, or lists them.
 */
export function retentionRoutes(retention: RetentionService): readonly Route[] {
  const plan = async (ctx: Koa.Context): Promise<void> => answer(ctx, await retention.plan(keepOf(ctx)));
  const apply = async (ctx: Koa.Context): Promise<void> => {
    const { dryRun, confirm } = await readJsonObject(ctx);
    const isDryRun = flagOf(ctx, 'dryRun', dryRun);
    const isConfirmed = flagOf(ctx, 'confirm', confirm);
    const actor = principalOf(ctx).name;
    answer(ctx, isDryRun ? await retention.plan() : await retention.apply({ isConfirmed, actor }));
  };
  return [
    { method: 'GET', path: '/api/retention', action: 'manage-personal-data', handle: plan },
    { method: 'POST', path: '/api/retention', action: 'manage-personal-data', handle: apply },
  ];
}

/**
 * The `keep` of the query; `undefined` if there is none, so that the setting of the service counts. Throws 400 if it is
 * invalid.
 */
function keepOf(ctx: Koa.Context): Keep | undefined {
  const text = new Query(ctx).text('keep');
  try {
    return text === undefined ? undefined : parseKeep(text);
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return ctx.throw(400, `keep: ${error.message}`);
  }
}

function answer(
  ctx: Koa.Context,
  { isDryRun, keep, firstKept, days, backups, doubt }: RetentionReport,
): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = {
    dryRun: isDryRun,
    keep: keep === undefined ? null : formatKeep(keep),
    firstKept: firstKept ?? null,
    days: days.map(({ day, entries }) => ({ day, entries })),
    backups,
    doubt: doubt ?? null,
  };
}
