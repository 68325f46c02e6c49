import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type Koa from 'koa';
import type { Revision } from '@tallybook/domain';
import { requireStill } from '../held-right.js';

/** After this many bytes other work has a turn, even if the client takes them at once. */
const BYTES_OF_TURN = 131_072;

/**
 * Sends an answer in pieces, no faster than its client takes them. Resolves when everything is handed over, or the client is
 * gone. Each piece is sent only if the sender of the request still has the right to it.
 *
 * An error after the answer has begun breaks the connection, so that a client does not take a partial answer for a whole one.
 * Errors after the client has gone are ignored.
 */
export async function sendPieces(
  ctx: Pick<Koa.Context, 'req' | 'res' | 'state'>,
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): Promise<void> {
  const { res: response } = ctx;
  try {
    let bytes = 0;
    for await (const piece of pieces) {
      if (isGone(response)) return;
      requireStill(ctx);
      bytes += piece.length;
      if (!response.write(piece)) await drained(response);
      if (bytes < BYTES_OF_TURN) continue;
      // The system may take some megabytes at once. They are drained in the same turn.
      bytes = 0;
      await setImmediate();
    }
    response.end();
  } catch (error) {
    if (isGone(response)) return;
    breakOff(response.req.socket);
    throw error;
  }
}

/**
 * Ends a connection so that no client takes a partial answer for a whole one: after an orderly end some would, because the head
 * of the answer may have no length. Whatever the request waits for, or sends, is given up.
 */
function breakOff(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    // Only plain TCP can be reset; TLS has its own end.
    socket.destroy();
  }
}

/** Whether the client of an unfinished response is gone. */
function isGone({ req: request }: ServerResponse): boolean {
  // A request is also destroyed after its body was read.
  return (request.destroyed && !request.readableEnded) || request.socket.destroyed;
}

/** Watches the connection, because a response that waits behind another one gets no event when its connection ends. */
async function drained(response: ServerResponse): Promise<void> {
  const { req: request } = response;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      response.off('drain', go);
      request.socket.off('close', go);
      resolve();
    };
    response.once('drain', go);
    request.socket.once('close', go);
  });
}

/** A read for which several requests wait. It is given up when all of them are gone. */
export class SharedRead<T> {
  /** Revision of the data; `undefined` until reading has begun. */
  revision: Revision | undefined;
  readonly #outcome: Promise<T>;
  #waiting = 0;
  #hasBegun = false;
  #isGivenUp = false;

  /**
   * @param inTurn Begins the work when it is its turn.
   * @param read Must look at {@link isGivenUp} now and then.
   */
  constructor(inTurn: (work: () => Promise<T>) => Promise<T>, read: () => Promise<T>) {
    const work = (): Promise<T> => {
      this.#hasBegun = true;
      return read();
    };
    // Begins after the constructor, so that the first request waits already.
    this.#outcome = Promise.resolve().then(() => inTurn(work));
    // The waiting requests get the error.
    this.#outcome.catch(() => undefined);
  }

  /** Whether nobody waits any more, so that nobody may wait for it again. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Resolves early: with `gone` when the client is gone, with `late` when reading has not begun after so many milliseconds. */
  async wait(response: ServerResponse, waitMs: number): Promise<T | 'gone' | 'late'> {
    const { req: request } = response;
    this.#waiting++;
    let leave = (): void => undefined;
    let timer: NodeJS.Timeout | undefined;
    const stopped = new Promise<'gone' | 'late'>((resolve) => {
      leave = () => resolve('gone');
      timer = setTimeout(() => this.#hasBegun || resolve('late'), waitMs);
    });
    request.once('close', leave);
    try {
      return await (isGone(response) ? 'gone' : Promise.race([this.#outcome, stopped]));
    } finally {
      request.off('close', leave);
      clearTimeout(timer);
      this.#isGivenUp = --this.#waiting === 0;
    }
  }
}
