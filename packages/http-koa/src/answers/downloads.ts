import type Koa from 'koa';
import { confirmRight } from '../held-right.js';
import { limitedOption } from '../limits.js';
import { Places } from '../places.js';
import { sendBusy } from '../problem.js';
import { commonHeaders } from './answer-errors.js';
import type { AnswerParts } from './answers.js';
import { sendPieces, SharedRead } from './send-pieces.js';

/** The headers of a file to save. */
export function fileHeaders(type: string, name: string): Readonly<Record<string, string>> {
  const disposition = `attachment; filename="${name}"`;
  return { 'Content-Type': type, 'Content-Disposition': disposition, 'Cache-Control': 'no-store' };
}

export interface ExportOptions {
  /**
   * Largest number of downloads at a time, 1..100, default 2. Each holds a snapshot, so the store cannot free replaced
   * data.
   */
  readonly maxExports?: number;
}

/** A file that is written while it is sent. */
interface Download {
  readonly headers: Readonly<Record<string, string>>;
  /** Called when the first piece was read, and awaited before it is sent. Must not reject. */
  readonly onBegin?: () => Promise<void> | undefined;
  /** Writes the file. Its resources are released when the generator ends, even early. */
  readonly write: () => AsyncGenerator<string | Uint8Array, void, undefined>;
}

/** Sends files that are written from a snapshot of the store: a limited number at a time, and one to each client. */
export class Downloads {
  readonly #parts: AnswerParts;
  readonly #most: number;
  readonly #places: Places;
  readonly #ofClient = new Places(1);

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(parts: AnswerParts, options: ExportOptions) {
    this.#parts = parts;
    this.#most = limitedOption('maxExports', options);
    this.#places = new Places(this.#most);
  }

  async send(ctx: Koa.Context, download: Download): Promise<void> {
    // The connection ends with the answer, so that a server stops quickly.
    const headers = { ...commonHeaders, ...download.headers, Connection: 'close' };
    if (ctx.method === 'HEAD') {
      ctx.status = 200;
      ctx.set(headers);
      return;
    }
    const giveBack = this.#place(ctx);
    if (giveBack === undefined) return;
    const pieces = download.write();
    try {
      const { reads, deliveries, clientOf } = this.#parts;
      // What comes before the first piece may be much. If the store fails at once, the answer is an ordinary 500.
      const read = new SharedRead(
        (work) => reads.run(work, clientOf(ctx)),
        () => pieces.next(),
      );
      const first = await read.wait(ctx.res, deliveries.waitMs);
      if (first === 'late') return void sendBusy(ctx);
      await confirmRight(ctx);
      if (first !== 'gone') await download.onBegin?.();
      ctx.respond = false;
      if (first === 'gone' || ctx.res.destroyed) return;
      ctx.res.writeHead(200, headers);
      deliveries.watch(ctx.res);
      await sendPieces(ctx, continued(first, pieces));
    } finally {
      await pieces.return().finally(giveBack);
    }
  }

  /** Takes a place; `undefined` if there is none, which was answered. */
  #place(ctx: Koa.Context): (() => void) | undefined {
    const ofClient = this.#ofClient.take(this.#parts.clientOf(ctx));
    const place = ofClient && this.#places.take('all');
    if (place !== undefined) return () => [place, ofClient].forEach((giveBack) => giveBack?.());
    const why = `all ${this.#most} exports that may run at a time are running`;
    sendBusy(ctx, ofClient === undefined ? 'another export for you is running' : why, 10);
    ofClient?.();
    return undefined;
  }
}

async function* continued<T>(
  first: IteratorResult<T, void>,
  rest: AsyncIterable<T>,
): AsyncGenerator<T, void> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
