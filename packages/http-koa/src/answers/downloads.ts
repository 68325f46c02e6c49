import type Koa from 'koa';
import { confirmRight } from '../held-right.js';
import { commonHeaders } from './answer-errors.js';
import type { Deliveries, Patience } from './deliveries.js';
import { limitedOption, type Limits } from './limited-option.js';
import { sendProblem } from './problem.js';
import { isGone, sendPieces } from './send-pieces.js';

export interface ExportOptions {
  /**
   * Largest number of downloads at a time, 1..100, default 2. Each holds a snapshot, so the store cannot free replaced
   * data.
   */
  readonly maxExports?: number;
  /**
   * Milliseconds without progress after which a client is cut off, 1..3600000, default 30000. A server may have a shorter
   * limit: the listener of `@tallybook/server` has its own `stallMs`, 60000 by default.
   */
  readonly exportStallMs?: number;
  /**
   * Longest time for a whole download, in milliseconds, after which the client is cut off, 1..86400000, default 600000.
   */
  readonly exportDeadlineMs?: number;
}

/** Minimum, maximum and default of each option. */
export const exportLimits: Limits<ExportOptions> = {
  maxExports: [1, 100, 2],
  exportStallMs: [1, 3_600_000, 30_000],
  exportDeadlineMs: [1, 86_400_000, 600_000],
};

/** A file that is written while it is sent. */
export interface Download {
  readonly type: string;
  readonly fileName: string;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when the first piece was read, and awaited before it is sent. Must not reject. */
  readonly onBegin?: () => Promise<void> | undefined;
  /** Writes the file. Its resources are released when the generator ends, even early. */
  readonly write: () => AsyncGenerator<string | Uint8Array, void, undefined>;
}

/**
 * Sends files that are written from a snapshot of the store: a limited number at a time, each for a limited time.
 *
 * An error after the answer has begun breaks the connection, so that a client does not take a partial file for a whole one.
 */
export class Downloads {
  readonly #deliveries: Deliveries;
  readonly #maxRunning: number;
  readonly #patience: Patience;
  #running = 0;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(deliveries: Deliveries, options: ExportOptions) {
    this.#deliveries = deliveries;
    this.#maxRunning = limitedOption('maxExports', options, exportLimits);
    this.#patience = {
      stallMs: limitedOption('exportStallMs', options, exportLimits),
      deadlineMs: limitedOption('exportDeadlineMs', options, exportLimits),
    };
  }

  async send(ctx: Koa.Context, download: Download): Promise<void> {
    if (ctx.method === 'HEAD') {
      ctx.status = 200;
      ctx.set(headersOf(download));
      return;
    }
    if (this.#running >= this.#maxRunning) {
      const detail = `all ${this.#maxRunning} exports that may run at a time are running; try again later`;
      sendProblem(ctx, { status: 503, detail, headers: { 'Retry-After': '10' } });
      return;
    }
    this.#running++;
    const pieces = download.write();
    try {
      await this.#send(ctx, download, pieces);
    } finally {
      await pieces.return().finally(() => this.#running--);
    }
  }

  async #send(
    ctx: Koa.Context,
    download: Download,
    pieces: AsyncGenerator<string | Uint8Array>,
  ): Promise<void> {
    // If the store fails at once, it does so here, and the answer is an ordinary 500.
    const first = await pieces.next().catch((error: unknown) => {
      if (isGone(ctx.res)) return undefined;
      throw error;
    });
    await confirmRight(ctx);
    if (first !== undefined) await download.onBegin?.();
    ctx.respond = false;
    // The client is gone.
    if (first === undefined || ctx.res.destroyed) return;
    ctx.res.writeHead(200, headersOf(download));
    this.#deliveries.watch(ctx.res, this.#patience);
    await sendPieces(ctx, continued(first, pieces));
  }
}

async function* continued<T>(
  first: IteratorResult<T, void>,
  rest: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** The connection ends with the answer, so that a server stops quickly. */
function headersOf({ type, fileName, headers }: Download): Readonly<Record<string, string>> {
  return {
    ...commonHeaders,
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
    ...headers,
    Connection: 'close',
  };
}
