import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type Koa from 'koa';

/** The latest response of each connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/** Takes note of every request, which {@link leaveHttp} needs; comes before all others. */
export const noteLatest: Koa.Middleware = (ctx, next) => {
  latest.set(ctx.req.socket, ctx.res);
  return next();
};

/**
 * Takes the connection of a response that has begun, and ends with its connection, away from HTTP: for as long as
 * nothing but the response is to come on it, request, response, parser and the context of Koa are of no use, and they
 * are three quarters of what an idle stream takes. What the client still sends is dropped.
 *
 * Calls `go` once, soon. Never if the connection is needed for another response, before or behind this one, if the
 * request has a body that is still to come, or if the connection is encrypted or gone: then all stays as it is.
 *
 * @param go Gets the socket, which is destroyed when either side ends it.
 */
export function leaveHttp(response: ServerResponse, go: (socket: Socket) => void): void {
  // By then the parser has told of all requests that came along with this one.
  process.nextTick(() => {
    const { req: request } = response;
    if (!request.complete || !isAlone(response)) return;
    // A request that has ended is closed without cutting the connection.
    request.resume().once('end', () => {
      const { socket } = response;
      if (socket === null || response.writableEnded) return;
      endHttp(response, socket);
      go(socket);
    });
  });
}

function isAlone(response: ServerResponse): boolean {
  const { socket } = response;
  return socket !== null && latest.get(socket) === response && !('encrypted' in socket);
}

/** HTTP takes note that the connection is closed, and lets go of it; then nobody is left who listens to it. */
function endHttp(response: ServerResponse, socket: Socket): void {
  latest.delete(socket);
  response.detachSocket(socket);
  socket.emit('close', false);
  socket.removeAllListeners();
  socket.allowHalfOpen = false;
  socket.on('error', ignore).on('finish', destroy);
}

/** Functions of all sockets, not of each. What follows an error is `close`. */
function ignore(): void {
  return;
}

function destroy(this: Socket): void {
  this.destroy();
}
