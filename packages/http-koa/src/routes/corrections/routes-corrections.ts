import {
  CORRECTIONS_AT_ONCE_MAX,
  parseReason,
  parseTallyId,
  personOf,
  quote,
  type Calendar,
  type CorrectionRequest,
  type CorrectionService,
} from '@tallybook/domain';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import type { Answers } from '../../answers/answers.js';
import { sendState } from '../../answers/representation.js';
import { listOf, ListSource } from '../../answers/source.js';
import { parseField } from '../../requests/parse-field.js';
import { Query } from '../../requests/query.js';
import { isObject, readJsonObject } from '../../requests/read-json.js';
import { selectRange } from '../ranges/select-range.js';
import type { Route } from '../route.js';
import { selectDay } from '../select-day.js';
import { correctionJson, parseCorrection } from './correction-json.js';

export interface CorrectionRoutesDependencies {
  readonly corrections: CorrectionService;
  readonly calendar: Calendar;
}

/** Estimated memory of a correction, in bytes. */
const CORRECTION_BYTES = 1_000;

/**
 * `GET` and `POST /api/corrections`, `POST /api/corrections/decision`: lists, makes and decides corrections.
 * `GET /api/scans`: the scans of a tag on a day, to choose from.
 */
export function correctionRoutes(
  { corrections, calendar }: CorrectionRoutesDependencies,
  answers: Answers,
): readonly Route[] {
  const list = (ctx: Koa.Context): unknown => {
    const { from, to } = selectRange(new Query(ctx), calendar);
    return answers.send(ctx, {
      key: `corrections ${from} ${to}`,
      revision: () => corrections.revision(),
      open: async () => {
        const found = await corrections.list(from, to);
        const items = listOf(found, (each) => JSON.stringify(correctionJson(each)));
        return new ListSource(['[', items, ']'], found.length * CORRECTION_BYTES);
      },
    });
  };
  const correct = async (ctx: Koa.Context): Promise<void> => {
    const requests = requestsOf(ctx, await readJsonObject(ctx));
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
    const { recorded, added, voided } = await corrections.scansOf(day, query.required('id', parseTallyId));
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
function requestsOf(ctx: Koa.Context, body: Readonly<Record<string, unknown>>): readonly CorrectionRequest[] {
  const { corrections: several } = body;
  if (several === undefined) return [parseCorrection(body)];
  if (!Array.isArray(several))
    return ctx.throw(400, `corrections: must be a list of 1 to ${CORRECTIONS_AT_ONCE_MAX} corrections`);
  return several.map((each: unknown, index) =>
    parseField(`corrections[${index}]`, each, (value) =>
      isObject(value)
        ? parseCorrection(value)
        : ctx.throw(400, `corrections[${index}]: must be a JSON object; got ${quote(value)}`),
    ),
  );
}
