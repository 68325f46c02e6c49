import { quote, type TallyId } from '@tallybook/domain';
import type { TagFinder } from '@tallybook/domain/record';
import { ERASURE_MAX_TAGS, type ErasureService } from '@tallybook/domain/personal';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { requireStill } from '../../held-right.js';
import { parseField } from '../../requests/query.js';
import type { Handlers } from '../implement.js';

/** Erases persons by their tags, and lists the remembered erasures. */
export function erasureHandlers(
  erasures: ErasureService,
  tags: TagFinder,
): Handlers<'GET /api/erasures' | 'POST /api/erasures'> {
  return {
    'GET /api/erasures': () => erasures.list(),
    'POST /api/erasures': async ({ ctx, body: { ids: texts, format, dryRun: isDryRun = false } }) => {
      const actor = principalOf(ctx).name;
      const ids = await idsOf(texts, ctx, (text) => tags.find(text, format));
      // Ids with two readings have to be looked up, and all traces are counted first.
      const confirm = (): void => requireStill(ctx);
      return erasures.erase(ids, { isDryRun, actor, confirm });
    },
  };
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
