import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { SYNC_MAX_BYTES, type SyncPosition, type SyncSnapshotPart } from '@tallybook/domain/sync';
import type Koa from 'koa';
import { TallybookError } from '@tallybook/domain';
import type { Principal } from '@tallybook/domain/access';
import { Downloads, fileHeaders } from '../../answers/downloads.js';
import type { Admission } from '../../access/admission.js';
import { principalOf } from '../../access/principal-of.js';
import type { AnswerParts } from '../../answers/answers.js';
import { Places } from '../../places.js';
import { sendProblem } from '../../problem.js';
import { sendState } from '../../answers/representation.js';
import { readJson } from '../../requests/read-body.js';
import type { Handlers } from '../implement.js';
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

interface SyncParts {
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

/** Takes batches of stations, and gives them the changes at the centre and all items for stations. */
export function syncHandlers({
  centre,
  admission,
  parts,
}: SyncParts): Handlers<'POST /api/sync' | 'GET /api/sync/changes' | 'GET /api/sync/snapshot'> {
  const waits = new Places(WAITS_PER_STATION);
  const downloads = new Downloads(parts, { maxExports: SNAPSHOTS_AT_ONCE });
  return {
    'POST /api/sync': async ({ ctx }) => {
      const station = stationOf(principalOf(ctx));
      sendState(ctx, await centre.push(station, await readJson(ctx, SYNC_MAX_BYTES)));
    },
    'GET /api/sync/changes': async ({ ctx, query }) => {
      const after = positionOf(ctx, query);
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
        const waitMs = ctx.method === 'HEAD' ? 0 : (query.wait ?? 0) * 1_000;
        sendState(ctx, await centre.changes(after, waitMs, { signal }));
      } finally {
        ctx.req.off('close', leave);
        place();
      }
    },
    'GET /api/sync/snapshot': ({ ctx }) => {
      stationOf(principalOf(ctx));
      return sendSnapshot(ctx, centre.snapshot(), downloads);
    },
  };
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

function positionOf(
  ctx: Koa.Context,
  { origin, after }: { readonly origin: string | undefined; readonly after: number | undefined },
): SyncPosition | undefined {
  if (origin === undefined && after === undefined) return undefined;
  if (origin !== undefined && after !== undefined) return { origin, cursor: after };
  return ctx.throw(400, 'origin and after: must be given together, as the last answer has them');
}
