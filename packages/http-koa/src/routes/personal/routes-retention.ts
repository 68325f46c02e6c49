import { formatKeep, type RetentionReport, type RetentionService } from '@tallybook/domain/personal';
import type { Retention } from '@tallybook/http-contract';
import { principalOf } from '../../access/principal-of.js';
import type { Answers } from '../../answers/answers.js';
import { textFor, type Shown } from '../../answers/json-of.js';
import { requireStill } from '../../held-right.js';
import type { Handlers } from '../implement.js';

/** Lists the days that are too old, by the setting or by the `keep` of the query; and removes or lists them. */
export function retentionHandlers(
  retention: RetentionService,
  answers: Answers,
): Handlers<'GET /api/retention' | 'POST /api/retention'> {
  return {
    'GET /api/retention': ({ ctx, query: { keep } }) =>
      answers.send(ctx, {
        key: `retention ${keep === undefined ? '' : formatKeep(keep)}`,
        read: async () => [textFor('GET /api/retention', describe(await retention.plan(keep)))],
      }),
    'POST /api/retention': async ({ ctx, body: { dryRun, confirm: isConfirmed = false } }) => {
      const actor = principalOf(ctx).name;
      // The entries of all old days are counted first.
      const request = { isConfirmed, actor, confirm: () => requireStill(ctx) };
      return describe(dryRun === true ? await retention.plan() : await retention.apply(request));
    },
  };
}

function describe({ keep, keepGuests, ...report }: RetentionReport): Shown<Retention> {
  return { ...report, keep: keep && formatKeep(keep), keepGuests: keepGuests && formatKeep(keepGuests) };
}
