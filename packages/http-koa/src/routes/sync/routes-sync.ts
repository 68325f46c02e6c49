import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  SYNC_MAX_BYTES,
  SYNC_MAX_WAIT_MS,
  type SyncPosition,
  type SyncSnapshotPart,
} from '@tallybook/domain/sync';
import type Koa from 'koa';
import { quote, TallybookError } from '@tallybook/domain';
import type { Principal } from '@tallybook/domain/access';
import { Downloads, fileHeaders } from '../../answers/downloads.js';
import type { Admission } from '../../access/admission.js';
import { principalOf } from '../../access/principal-of.js';
import type { AnswerParts } from '../../answers/answers.js';
import { Places } from '../../places.js';
import { sendProblem } from '../../problem.js';
import { sendState } from '../../answers/representation.js';
import { Query } from '../../requests/query.js';
import { readJson } from '../../requests/read-json.js';
import type { Route } from '../route.js';
import type { SyncCentre } from './sync-centre.js';

/** Number of parts in one piece of an answer. */
const PARTS_OF_PIECE = 200;

/**
 * Sends a snapshot as JSON Lines. It is compressed if the station accepts that: names and corrections shrink to an
 * eighth.
 */
async function sendSnapshot(
  ctx: Koa.Context,
  parts: AsyncIterable<SyncSnapshotPart>,
  downloads: Downloads,
): Promise<void> {
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  await downloads.send(ctx, {
    headers: {
      ...fileHeaders('application/jsonl', 'tallybook-sync.jsonl'),
      Vary: 'Accept-Encoding',
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    },
    write: () => (isCompressed ? compressed(linesOf(parts)) : linesOf(parts)),
  });
}

async function* linesOf(parts: AsyncIterable<SyncSnapshotPart>): AsyncGenerator<string, void, undefined> {
  let piece = '';
  let count = 0;
  for await (const part of parts) {
    piece += `${JSON.stringify(part)}\n`;
    if (++count % PARTS_OF_PIECE !== 0) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function* compressed(pieces: AsyncGenerator<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const gzip = createGzip();
  // If the pipeline fails, reading the compressed bytes fails with the same error.
  const feeding = pipeline(Readable.from(pieces), gzip).catch(() => undefined);
  try {
    yield* gzip as AsyncIterable<Uint8Array>;
  } finally {
    gzip.destroy();
    await feeding;
  }
}

interface SyncRouteParts {
  readonly centre: SyncCentre;
  readonly admission: Admission | undefined;
  readonly parts: AnswerParts;
}

/**
 * Number of requests of one station that may wait for changes. A station may send a new request before the centre
 * notices the end of the previous one.
 */
export const WAITS_PER_STATION = 4;
/** Number of stations that may take a snapshot at a time. */
export const SNAPSHOTS_AT_ONCE = 4;

const TOKEN = 'token ';
const ORIGIN_MAX_LENGTH = 64;
const DIGITS = /^\d{1,16}$/;

/**
 * `POST /api/sync`: takes a batch of a station. `GET /api/sync/changes`: the changes at the centre after a cursor, at once or
 * when they happen. `GET /api/sync/snapshot`: all items for stations.
 */
export function syncRoutes({ centre, admission, parts }: SyncRouteParts): readonly Route[] {
  const waits = new Places(WAITS_PER_STATION);
  const downloads = new Downloads(parts, { maxExports: SNAPSHOTS_AT_ONCE });

  const push = async (ctx: Koa.Context): Promise<void> => {
    const station = stationOf(principalOf(ctx));
    const batch = await readJson(ctx, SYNC_MAX_BYTES);
    sendState(ctx, await centre.push(station, batch));
  };

  const changes = async (ctx: Koa.Context): Promise<void> => {
    const query = new Query(ctx);
    const after = positionOf(ctx, query);
    const waitMs = waitOf(ctx, query);
    const principal = principalOf(ctx);
    stationOf(principal);
    const place = waits.take(principal.credential);
    if (place === undefined) {
      const detail = `this token has ${WAITS_PER_STATION} requests that wait for changes, and may not have more`;
      sendProblem(ctx, { status: 429, detail, headers: { 'Retry-After': '5' } });
      return;
    }
    const leaving = new AbortController();
    const leave = (): void => leaving.abort();
    ctx.req.once('close', leave);
    admission?.watch(ctx, { unsubscribe: leave });
    try {
      const { signal } = leaving;
      sendState(ctx, await centre.changes(after, ctx.method === 'HEAD' ? 0 : waitMs, { signal }));
    } finally {
      ctx.req.off('close', leave);
      place();
    }
  };

  return [
    { method: 'POST', path: '/api/sync', action: 'sync-record', handle: push },
    { method: 'GET', path: '/api/sync/changes', action: 'sync-record', handle: changes },
    {
      method: 'GET',
      path: '/api/sync/snapshot',
      action: 'sync-record',
      isCostly: true,
      handle: (ctx) => {
        stationOf(principalOf(ctx));
        return sendSnapshot(ctx, centre.snapshot(), downloads);
      },
    },
  ];
}

/**
 * The name of a station: the label of its token. A station needs a token even where access is open. Without names, two stations
 * would count as one: to each, the changes of the other would look like its own.
 *
 * @throws {TallybookError} `NOT_SIGNED_IN`
 */
function stationOf({ name }: Principal): string {
  if (name.startsWith(TOKEN)) return name.slice(TOKEN.length);
  throw new TallybookError(
    'NOT_SIGNED_IN',
    'a station always needs a token, which names it; make one at the centre: tallybook token add NAME --role station',
  );
}

function positionOf(ctx: Koa.Context, query: Query): SyncPosition | undefined {
  const [origin, after] = [query.text('origin'), query.text('after')];
  if (origin === undefined && after === undefined) return undefined;
  if (origin === undefined || origin === '' || origin.length > ORIGIN_MAX_LENGTH) {
    return ctx.throw(
      400,
      `origin: must be that of the last answer, 1 to ${ORIGIN_MAX_LENGTH} characters; got ${quote(origin)}`,
    );
  }
  const cursor = DIGITS.test(after ?? '') ? Number(after) : Number.NaN;
  if (Number.isSafeInteger(cursor)) return { origin, cursor };
  return ctx.throw(400, `after: must be the cursor of the last answer, digits only; got ${quote(after)}`);
}

/** The time to wait, in milliseconds; the query has seconds. */
function waitOf(ctx: Koa.Context, query: Query): number {
  const text = query.text('wait') ?? '0';
  const most = SYNC_MAX_WAIT_MS / 1_000;
  if (/^\d{1,2}$/.test(text) && Number(text) <= most) return Number(text) * 1_000;
  return ctx.throw(400, `wait: must be a number of seconds from 0 to ${most}; got ${quote(text)}`);
}
