import {
  quote,
  TallybookError,
  toDay,
  toTimestamp,
  type SpellingName,
  type Timestamp,
} from '@tallybook/domain';
import {
  CORRECTIONS_AT_ONCE_MAX,
  parseCorrectionAction,
  parseReason,
  type Correction,
  type CorrectionRequest,
  type ScanOfDay,
  type TagFinder,
} from '@tallybook/domain/record';
import { personOf } from '@tallybook/domain/access';
import type { Correction as CorrectionJson } from '@tallybook/http-contract';
import type Koa from 'koa';
import { formatOf, parseField } from '../../requests/query.js';
import { principalOf } from '../../access/principal-of.js';
import type { Answers } from '../../answers/answers.js';
import { requireStill } from '../../held-right.js';
import { isObject, readJsonObject } from '../../requests/read-body.js';
import type { Services } from '../../app-services.js';
import type { Handlers } from '../implement.js';
import { listOf, piecesOf } from '../list-pieces.js';
import { selectDay, selectRange } from '../select-days.js';

/** A correction in the JSON of the interface. */
export function correctionJson(correction: Correction): CorrectionJson {
  const { number, action, day, id, at, reason, author, madeAt, state, decision } = correction;
  return {
    ...{ number, action, day, id, at, reason, author, madeAt, state },
    decidedBy: decision?.by ?? null,
    decidedAt: decision?.at ?? null,
    decisionReason: decision?.reason ?? null,
  };
}

/**
 * Reads the request of a correction.
 *
 * Rejects with the name of the field: `INVALID_CORRECTION`, `INVALID_DAY`, `INVALID_TALLY_ID`, `AMBIGUOUS_TALLY_ID` or
 * `INVALID_TIMESTAMP`.
 */
async function parseCorrection(
  fields: Readonly<Record<string, unknown>>,
  tags: TagFinder,
  format: SpellingName | undefined,
): Promise<CorrectionRequest> {
  return {
    action: parseField('action', fields['action'], parseCorrectionAction),
    day: parseField('day', fields['day'], toDay),
    id: await parseField('id', fields['id'], (text) => tags.find(text, format)),
    at: parseField('at', fields['at'], toTimestamp),
    reason: parseField('reason', fields['reason'], parseReason),
  };
}

type CorrectionDependencies = Services<'corrections' | 'calendar', 'directory'> & {
  readonly tags: TagFinder;
  readonly answers: Answers;
};

/** Lists, makes and decides corrections, and lists the scans of a tag on a day, to choose from. */
export function correctionHandlers({
  corrections,
  tags,
  calendar,
  answers,
  directory,
}: CorrectionDependencies): Handlers<
  'GET /api/corrections' | 'POST /api/corrections' | 'POST /api/corrections/decision' | 'GET /api/scans'
> {
  /** Those scans that the sender may see. Nobody is in a group where the service knows no persons. */
  const seen = async <T extends ScanOfDay>(ctx: Koa.Context, scans: readonly T[]): Promise<readonly T[]> => {
    const { groups } = principalOf(ctx);
    if (groups === undefined) return scans;
    return directory === undefined ? [] : directory.scansWithin(scans, groups);
  };
  return {
    'GET /api/corrections': ({ ctx, query }) => {
      const { from, to } = selectRange(query, calendar);
      const { groups } = principalOf(ctx);
      return answers.send(ctx, {
        key: `corrections ${from} ${to} ${JSON.stringify(groups)}`,
        revision: async () => {
          const revision = await corrections.revision();
          return groups === undefined ? revision : `${revision} ${await directory?.revision()}`;
        },
        read: async () => {
          const found = await seen(ctx, await corrections.list(from, to));
          return piecesOf(
            '[',
            listOf(found, (each) => JSON.stringify(correctionJson(each))),
            ']',
          );
        },
      });
    },
    'POST /api/corrections': async ({ ctx }) => {
      const requests = await requestsOf(ctx, await readJsonObject(ctx), tags);
      // Ids with two readings have to be looked up.
      if ((await seen(ctx, requests)).length < requests.length) {
        throw new TallybookError(
          'NOT_ALLOWED',
          'you are bound to groups, and nobody in these had the tag in that second',
        );
      }
      requireStill(ctx);
      const principal = principalOf(ctx);
      const made = await corrections.correct(requests, personOf(principal), principal.name);
      return made.map(correctionJson);
    },
    'POST /api/corrections/decision': async ({ ctx, body }) => {
      const { number, approve, reason } = body;
      const principal = principalOf(ctx);
      const decided = await corrections.decide(number, {
        approve,
        by: personOf(principal),
        actor: principal.name,
        ...(reason !== undefined && { reason }),
      });
      return correctionJson(decided);
    },
    'GET /api/scans': async ({ ctx, query }) => {
      const day = selectDay(query, calendar) ?? ctx.throw(404, 'Not found');
      const { recorded, added, voided } = await corrections.scansOf(day, query.id);
      const own = async (all: readonly Timestamp[]): Promise<readonly Timestamp[]> => {
        const scans = all.map((at) => ({ id: query.id, at, day }));
        return (await seen(ctx, scans)).map(({ at }) => at);
      };
      return { at: await own(recorded), added: await own(added), voided: await own(voided) };
    },
  };
}

/** Reads one correction, or several in `corrections`. */
async function requestsOf(
  ctx: Koa.Context,
  body: Readonly<Record<string, unknown>>,
  tags: TagFinder,
): Promise<readonly CorrectionRequest[]> {
  const { corrections: several } = body;
  const parse = (fields: Readonly<Record<string, unknown>>): Promise<CorrectionRequest> =>
    parseCorrection(fields, tags, formatOf(ctx, fields['format']));
  if (several === undefined) return [await parse(body)];
  if (!Array.isArray(several))
    return ctx.throw(400, `corrections: must be a list of 1 to ${CORRECTIONS_AT_ONCE_MAX} corrections`);
  const requests: CorrectionRequest[] = [];
  for (const [index, each] of several.entries()) {
    const request = await parseField(`corrections[${index}]`, each, (value) =>
      isObject(value)
        ? parse(value)
        : ctx.throw(400, `corrections[${index}]: must be a JSON object; got ${quote(value)}`),
    );
    requests.push(request);
  }
  return requests;
}
