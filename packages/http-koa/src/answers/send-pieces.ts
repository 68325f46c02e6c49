import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Bytes sent before other work has a turn, even if the client takes them at once. */
const BYTES_OF_TURN = 131_072;

/**
 * Sends an answer in pieces, no faster than its client takes them.
 * Resolves when all is handed over, or the client is gone.
 *
 * An error after the answer has begun breaks the connection, so that a client does not take a part for the whole. Errors
 * after the client has gone are ignored.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): Promise<void> {
  const { req: request } = response;
  try {
    let bytes = 0;
    for await (const piece of pieces) {
      if (isGone(response)) return;
      bytes += piece.length;
      if (!response.write(piece)) await drained(response);
      if (bytes < BYTES_OF_TURN) continue;
      // What the system takes at once is drained in the same turn, and it takes some megabytes.
      bytes = 0;
      await setImmediate();
    }
    response.end();
  } catch (error) {
    if (isGone(response)) return;
    breakOff(request.socket);
    throw error;
  }
}

/**
 * Ends a connection so that nobody takes what came for the whole: some clients do if it ends in order, although the length of the
 * answer is not known from its head.
 */
function breakOff(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    // Only TCP can do that, without TLS, which has an end of its own.
    socket.destroy();
  }
}

/** Whether nobody waits for a response any more that has not ended. */
export function isGone({ req: request }: ServerResponse): boolean {
  // One whose body was read is destroyed when that is done.
  return (request.destroyed && !request.readableEnded) || request.socket.destroyed;
}

/** The request, because a response that waits behind another one on its connection is not told when that ends. */
async function drained(response: ServerResponse): Promise<void> {
  const { req: request } = response;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      response.off('drain', go);
      request.off('close', go);
      request.socket.off('close', go);
      resolve();
    };
    response.once('drain', go);
    request.once('close', go);
    // Where the body was read the request has closed before.
    request.socket.once('close', go);
  });
}
