import { joinLines, type BackupService, type Timekeeper } from '@tallybook/domain';
import type Koa from 'koa';
import { commonHeaders } from '../answers/answer-errors.js';
import type { Deliveries } from '../answers/deliveries.js';
import { limitedOption, type Limits } from '../answers/limited-option.js';
import { sendProblem } from '../answers/problem.js';
import { isGone, sendPieces } from '../answers/send-pieces.js';
import type { Route } from './route.js';

export interface ExportOptions {
  /** Exports at the same time, 1..100, default 2. Each keeps the store from giving up what is replaced meanwhile. */
  readonly maxExports?: number;
  /**
   * Milliseconds without any progress after which a client is cut off, 1..3600000, default 30000. A server may cut
   * sooner: the listener of `@tallybook/server` does at its own `stallMs`, 60000 by default.
   */
  readonly exportStallMs?: number;
  /** Milliseconds after which a client is cut off that is not done, 1..86400000, default 600000. */
  readonly exportDeadlineMs?: number;
}

export interface ExportRoutesDependencies {
  readonly backup: BackupService;
  readonly timekeeper: Timekeeper;
  readonly deliveries: Deliveries;
}

const limits: Limits<ExportOptions> = {
  maxExports: [1, 100, 2],
  exportStallMs: [1, 3_600_000, 30_000],
  exportDeadlineMs: [1, 86_400_000, 600_000],
};

/**
 * `GET /api/export`: everything, as a backup.
 *
 * What fails after the answer has begun cuts the connection, so that nobody takes a part of a backup for all of it.
 *
 * @throws {TallybookError} `INVALID_OPTION` if an option is out of range.
 */
export function exportRoutes(
  { backup, timekeeper, deliveries }: ExportRoutesDependencies,
  options: ExportOptions,
): readonly Route[] {
  const maxExports = limitedOption('maxExports', options, limits);
  const patience = {
    stallMs: limitedOption('exportStallMs', options, limits),
    deadlineMs: limitedOption('exportDeadlineMs', options, limits),
  };
  let running = 0;

  const exportAll = async (ctx: Koa.Context): Promise<void> => {
    if (ctx.method === 'HEAD') {
      ctx.status = 200;
      ctx.set(headersOf(timekeeper));
      return;
    }
    if (running >= maxExports) {
      const detail = `all ${maxExports} exports that may run at a time are running; try again later`;
      sendProblem(ctx, { status: 503, detail, headers: { 'Retry-After': '10' } });
      return;
    }
    running++;
    try {
      const text = joinLines(backup.export());
      try {
        await send(ctx, text, headersOf(timekeeper), () => deliveries.watch(ctx.res, patience));
      } finally {
        await text.return();
      }
    } finally {
      running--;
    }
  };
  return [{ method: 'GET', path: '/api/export', handle: exportAll }];
}

async function send(
  ctx: Koa.Context,
  text: AsyncGenerator<string, void, undefined>,
  headers: Readonly<Record<string, string>>,
  onBegin: () => void,
): Promise<void> {
  // The store fails here, if at all at once, and then the answer is a 500 like any other.
  const first = await text.next().catch((error: unknown) => {
    if (isGone(ctx.res)) return undefined;
    throw error;
  });
  ctx.respond = false;
  // The client has gone meanwhile.
  if (first === undefined || ctx.res.destroyed) return;
  ctx.res.writeHead(200, headers);
  onBegin();
  await sendPieces(ctx.res, continued(first, text));
}

async function* continued(
  first: IteratorResult<string, void>,
  rest: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** The connection ends with the answer, which makes stopping a server quick. */
function headersOf(timekeeper: Timekeeper): Readonly<Record<string, string>> {
  return {
    ...commonHeaders,
    'Content-Type': 'application/jsonl',
    'Content-Disposition': `attachment; filename="${fileName(timekeeper)}"`,
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
}

/** Where the years of four digits end. */
const DATE_END = 253_402_300_800;

function fileName(timekeeper: Timekeeper): string {
  const now = timekeeper.now();
  const isDate = timekeeper.trust().isTrusted && now < DATE_END;
  return isDate ? `tallybook-${new Date(now * 1000).toISOString().slice(0, 10)}.jsonl` : 'tallybook.jsonl';
}
