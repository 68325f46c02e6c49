import type Router from '@koa/router';
import {
  parseTimestamp,
  quote,
  TallybookError,
  toTimestamp,
  type Timekeeper,
  type Timestamp,
} from '@tallybook/domain';
import { jsonBody } from './json-body.js';
import { parseField } from './parse-field.js';
import { sendState } from './representation.js';

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';

/** A larger time is one in milliseconds: as seconds it would lie beyond the year 5138. */
export const TIME_MAX_SECONDS = 100_000_000_000;

/** `GET` and `POST /api/time`: what time it is, how far that can be trusted, and setting it where nothing better can. */
export function addTimeRoutes(router: Router, timekeeper: Timekeeper): void {
  router.get('/api/time', (ctx) => {
    const time = timekeeper.now();
    ctx.vary('Accept');
    if (ctx.accepts(TEXT, JSON_TYPE) === JSON_TYPE) {
      sendState(ctx, { time, ...timekeeper.trust(), latestScan: timekeeper.latestScan || null });
    } else {
      sendState(ctx, String(time));
    }
  });

  router.post('/api/time', jsonBody(), (ctx) => {
    const { time } = ctx.request.body as Readonly<Record<string, unknown>>;
    parseField('time', time, (value) => timekeeper.set(parseTime(value)));
    ctx.body = null;
    ctx.status = 200;
  });
}

/** Takes digits as text too, because not every small device writes numbers of this size. */
function parseTime(value: unknown): Timestamp {
  const time = typeof value === 'number' ? toTimestamp(value) : parseTimestamp(value);
  const seconds = time > TIME_MAX_SECONDS ? Math.floor(time / 1000) : time;
  if (seconds <= TIME_MAX_SECONDS) return toTimestamp(seconds);
  throw new TallybookError(
    'INVALID_TIMESTAMP',
    `seconds since 1970, up to ${TIME_MAX_SECONDS}, or milliseconds, up to ${TIME_MAX_SECONDS}000; got ${quote(value)}`,
  );
}
