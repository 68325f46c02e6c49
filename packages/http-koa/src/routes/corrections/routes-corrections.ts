import { quote, toDay, toTimestamp, type Calendar, type SpellingName } from '@tallybook/domain';
import {
  CORRECTIONS_AT_ONCE_MAX,
  parseCorrectionAction,
  parseReason,
  type Correction,
  type CorrectionRequest,
  type CorrectionService,
  type TagFinder,
} from '@tallybook/domain/record';
import { personOf } from '@tallybook/domain/access';
import type Koa from 'koa';
import { formatOf, parseField, Query, requiredTagOfQuery } from '../../requests/query.js';
import { principalOf } from '../../access/principal-of.js';
import type { Answers } from '../../answers/answers.js';
import { sendState } from '../../answers/representation.js';
import { requireStill } from '../../held-right.js';
import { isObject, readJsonObject } from '../../requests/read-json.js';
import { listOf, piecesOf } from '../list-pieces.js';
import { selectDay, selectRange } from '../select-days.js';
import type { Route } from '../route.js';

/** A correction in the JSON of the interface. */
export function correctionJson(correction: Correction): Readonly<Record<string, unknown>> {
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

interface CorrectionRoutesDependencies {
  readonly corrections: CorrectionService;
  readonly tags: TagFinder;
  readonly calendar: Calendar;
}

/**
 * `GET` and `POST /api/corrections`, `POST /api/corrections/decision`: lists, makes and decides corrections.
 * `GET /api/scans`: the scans of a tag on a day, to choose from.
 */
export function correctionRoutes(
  { corrections, tags, calendar }: CorrectionRoutesDependencies,
  answers: Answers,
): readonly Route[] {
  const list = (ctx: Koa.Context): unknown => {
    const { from, to } = selectRange(new Query(ctx), calendar);
    return answers.send(ctx, {
      key: `corrections ${from} ${to}`,
      revision: () => corrections.revision(),
      read: async () => {
        const found = await corrections.list(from, to);
        return piecesOf(
          '[',
          listOf(found, (each) => JSON.stringify(correctionJson(each))),
          ']',
        );
      },
    });
  };
  const correct = async (ctx: Koa.Context): Promise<void> => {
    const requests = await requestsOf(ctx, await readJsonObject(ctx), tags);
    // Ids with two readings have to be looked up.
    requireStill(ctx);
    const principal = principalOf(ctx);
    const made = await corrections.correct(requests, personOf(principal), principal.name);
    ctx.status = 201;
    sendState(ctx, made.map(correctionJson));
  };
  const decide = async (ctx: Koa.Context): Promise<void> => {
    const { number, approve, reason } = await readJsonObject(ctx);
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1)
      return ctx.throw(400, `number: must be a whole number from 1; got ${quote(number)}`);
    if (typeof approve !== 'boolean')
      return ctx.throw(400, `approve: must be true or false; got ${quote(approve)}`);
    const principal = principalOf(ctx);
    const decided = await corrections.decide(number, {
      approve,
      by: personOf(principal),
      actor: principal.name,
      ...(reason !== undefined && reason !== null && { reason: parseField('reason', reason, parseReason) }),
    });
    sendState(ctx, correctionJson(decided));
  };
  const scans = async (ctx: Koa.Context): Promise<void> => {
    const query = new Query(ctx);
    const day = selectDay(query, calendar) ?? ctx.throw(404, 'Not found');
    const id = await requiredTagOfQuery(ctx, query, tags);
    const { recorded, added, voided } = await corrections.scansOf(day, id);
    sendState(ctx, { at: recorded, added, voided });
  };
  return [
    { method: 'GET', path: '/api/corrections', action: 'see-record', handle: list },
    { method: 'POST', path: '/api/corrections', action: 'correct-record', handle: correct },
    { method: 'POST', path: '/api/corrections/decision', action: 'decide-corrections', handle: decide },
    { method: 'GET', path: '/api/scans', action: 'see-record', handle: scans },
  ];
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
