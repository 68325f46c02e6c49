import { parsePersonId, quote } from '@tallybook/domain';
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
    'POST /api/erasures': async ({ ctx, body: { ids: texts, people, format, dryRun: isDryRun = false } }) => {
      const actor = principalOf(ctx).name;
      const persons = people === undefined ? [] : await listOf('people', people, ctx, parsePersonId);
      const isOfPersons = texts === undefined && persons.length > 0;
      const ids = isOfPersons ? [] : await listOf('ids', texts, ctx, (text) => tags.find(text, format));
      // Ids with two readings have to be looked up, and all traces are counted first.
      const confirm = (): void => requireStill(ctx);
      return erasures.erase(ids, { persons, isDryRun, actor, confirm });
    },
  };
}

async function listOf<T>(
  name: 'ids' | 'people',
  values: unknown,
  ctx: Koa.Context,
  read: (text: unknown) => T | Promise<T>,
): Promise<readonly T[]> {
  if (!Array.isArray(values) || values.length === 0 || values.length > ERASURE_MAX_TAGS) {
    const got = Array.isArray(values) ? `${values.length} of them` : quote(values);
    const what = name === 'ids' ? 'ids of tags' : 'ids of persons';
    return ctx.throw(400, `${name}: must be an array of 1 to ${ERASURE_MAX_TAGS} ${what}; got ${got}`);
  }
  const found: T[] = [];
  for (const value of values) found.push(await parseField(name, value, read));
  return found;
}
