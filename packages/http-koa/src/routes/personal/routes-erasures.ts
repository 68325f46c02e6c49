import { quote, type TallyId } from '@tallybook/domain';
import type { TagFinder } from '@tallybook/domain/record';
import { ERASURE_MAX_TAGS, type ErasureReport, type ErasureService } from '@tallybook/domain/personal';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { formatOf, parseField } from '../../requests/query.js';
import { requireStill } from '../../held-right.js';
import { flagOf, readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';

/** `POST /api/erasures`: erases persons by their tags; `GET`: lists the remembered erasures. */
export function erasureRoutes(erasures: ErasureService, tags: TagFinder): readonly Route[] {
  const erase = async (ctx: Koa.Context): Promise<void> => {
    const { ids: texts, format, dryRun } = await readJsonObject(ctx);
    const isDryRun = flagOf(ctx, 'dryRun', dryRun);
    const actor = principalOf(ctx).name;
    const ids = await idsOf(texts, ctx, (text) => tags.find(text, formatOf(ctx, format)));
    // Ids with two readings have to be looked up, and all traces are counted first.
    const confirm = (): void => requireStill(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = describe(await erasures.erase(ids, { isDryRun, actor, confirm }));
  };
  const list = async (ctx: Koa.Context): Promise<void> => {
    const kept = await erasures.list();
    ctx.set('Cache-Control', 'no-store');
    ctx.body = kept.map(({ key, digest, until, expiresAt, state }) => ({
      key,
      digest,
      until,
      expiresAt,
      state,
    }));
  };
  return [
    { method: 'GET', path: '/api/erasures', action: 'manage-personal-data', handle: list },
    { method: 'POST', path: '/api/erasures', action: 'manage-personal-data', handle: erase },
  ];
}

async function idsOf(
  ids: unknown,
  ctx: Koa.Context,
  find: (text: unknown) => TallyId | Promise<TallyId>,
): Promise<readonly TallyId[]> {
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > ERASURE_MAX_TAGS) {
    const got = Array.isArray(ids) ? `${ids.length} of them` : quote(ids);
    return ctx.throw(400, `ids: must be an array of 1 to ${ERASURE_MAX_TAGS} ids of tags; got ${got}`);
  }
  const found: TallyId[] = [];
  for (const id of ids) found.push(await parseField('ids', id, find));
  return found;
}

function describe(report: ErasureReport): object {
  const { isDryRun, tags, until, backupsWithIt, formerFiles, isScrubbed } = report;
  return {
    dryRun: isDryRun,
    tags: tags.map(({ id, hasName, days, scans, provisional, corrections, changes }) => ({
      ...{ id, hasName, days, scans, provisional, corrections, changes },
    })),
    ...{ until, backupsWithIt, formerFiles, isScrubbed },
  };
}
