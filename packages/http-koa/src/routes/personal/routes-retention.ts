import { isTallybookError } from '@tallybook/domain';
import {
  formatKeep,
  parseKeep,
  type Keep,
  type RetentionReport,
  type RetentionService,
} from '@tallybook/domain/personal';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import type { Answers } from '../../answers/answers.js';
import { sendState } from '../../answers/representation.js';
import { requireStill } from '../../held-right.js';
import { Query } from '../../requests/query.js';
import { flagOf, readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';

/**
 * `GET /api/retention`: lists the days that are too old, by the setting or by the `keep` of the query; `POST`: removes
 * them, or lists them.
 */
export function retentionRoutes(retention: RetentionService, answers: Answers): readonly Route[] {
  const plan = (ctx: Koa.Context): Promise<void> => {
    const keep = keepOf(ctx);
    return answers.send(ctx, {
      key: `retention ${keep === undefined ? '' : formatKeep(keep)}`,
      read: async () => [JSON.stringify(describe(await retention.plan(keep)))],
    });
  };
  const apply = async (ctx: Koa.Context): Promise<void> => {
    const { dryRun, confirm } = await readJsonObject(ctx);
    const isDryRun = flagOf(ctx, 'dryRun', dryRun);
    const isConfirmed = flagOf(ctx, 'confirm', confirm);
    const actor = principalOf(ctx).name;
    // The entries of all old days are counted first.
    const request = { isConfirmed, actor, confirm: () => requireStill(ctx) };
    sendState(ctx, describe(isDryRun ? await retention.plan() : await retention.apply(request)));
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

function describe({ isDryRun, keep, firstKept, days, backups, doubt }: RetentionReport): object {
  return {
    dryRun: isDryRun,
    keep: keep === undefined ? null : formatKeep(keep),
    firstKept: firstKept ?? null,
    days: days.map(({ day, entries }) => ({ day, entries })),
    backups,
    doubt: doubt ?? null,
  };
}
