import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limitedOption, type Limits } from './limited-option.js';

export interface DeliveryOptions {
  /**
   * Milliseconds without any progress after which a client is cut off that has an answer to take, 1..3600000, default
   * 30000. A server may cut sooner: the listener of `@tallybook/server` does at its own `stallMs`, 60000 by default.
   */
  readonly answerStallMs?: number;
  /** Milliseconds after which a client is cut off that is not done with an answer, 1..86400000, default 600000. */
  readonly answerDeadlineMs?: number;
  /** Bytes of memory that all answers on their way may hold, 1..17179869184, default 33554432. */
  readonly maxAnswerBytes?: number;
}

const limits: Limits<DeliveryOptions> = {
  answerStallMs: [1, 3_600_000, 30_000],
  answerDeadlineMs: [1, 86_400_000, 600_000],
  maxAnswerBytes: [1, 17_179_869_184, 33_554_432],
};

/** How often a client is looked at: so many times before it is cut off, and often enough to know who is in the way. */
const LOOKS = 4;
const LOOK_MS = 500;
/** Who has taken nothing for so long, in milliseconds, is cut off for one for whom there is no room. */
const IN_THE_WAY_MS = 1_000;

/** How long one client may take. */
export interface Patience {
  readonly stallMs: number;
  readonly deadlineMs: number;
}

interface Delivery extends Patience {
  readonly socket: Socket;
  readonly timer: NodeJS.Timeout;
  readonly begun: number;
  /** What it holds, each counted once for all that hold it. */
  readonly holds: object[];
  drained: number;
  drainedAt: number;
}

/**
 * The answers that are on their way to clients which do not take them at once.
 *
 * A client that takes nothing is cut off, sooner if others need the room. Nobody else is, as long as all that is on its
 * way fits into memory; what does not fit is refused.
 */
export class Deliveries {
  readonly #patience: Patience;
  readonly #maxBytes: number;
  readonly #deliveries = new Map<ServerResponse, Delivery>();
  readonly #held = new Map<object, { readonly bytes: number; holders: number }>();
  #heldBytes = 0;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(options: DeliveryOptions = {}) {
    this.#patience = {
      stallMs: limitedOption('answerStallMs', options, limits),
      deadlineMs: limitedOption('answerDeadlineMs', options, limits),
    };
    this.#maxBytes = limitedOption('maxAnswerBytes', options, limits);
  }

  /** Answers on their way that are watched. */
  get watched(): number {
    return this.#deliveries.size;
  }

  /** Bytes that are held for answers on their way. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Sees to it that a response which has ended comes to its client. Costs nothing if the system has taken all of it. */
  watchUnsent(response: ServerResponse): void {
    // Not `writableFinished`: on Node 24 it becomes true a little later.
    if (response.writableEnded && response.writableLength > 0) this.watch(response);
  }

  /** Sees to it that a response comes to an end, however slow its client. */
  watch(response: ServerResponse, { stallMs, deadlineMs }: Patience = this.#patience): void {
    const { socket } = response.req;
    if (this.#deliveries.has(response) || response.closed || socket.destroyed) return;
    const now = performance.now();
    const timer = setInterval(() => this.#check(response), Math.min(stallMs / LOOKS, deadlineMs, LOOK_MS));
    const progress = { drained: drainedBytes(socket), drainedAt: now };
    this.#deliveries.set(response, {
      ...{ stallMs, deadlineMs, socket, timer: timer.unref(), begun: now },
      ...progress,
      holds: [],
    });
    response.once('close', () => this.#end(response));
  }

  /**
   * Counts what a response that is watched holds until it ends; several may hold the same. One that is not watched
   * holds nothing, and needs no room.
   *
   * @returns Whether there was room. If not, nothing is counted.
   */
  hold(response: ServerResponse, what: object, bytes: number): boolean {
    const delivery = this.#deliveries.get(response);
    if (delivery === undefined) return true;
    if (!this.#held.has(what) && !this.#makeRoom(bytes)) return false;
    const held = this.#held.get(what) ?? { bytes, holders: 0 };
    if (held.holders === 0) {
      this.#held.set(what, held);
      this.#heldBytes += bytes;
    }
    held.holders++;
    delivery.holds.push(what);
    return true;
  }

  /** Alone, even what is too large finds room: there is no other way to serve it. */
  #makeRoom(bytes: number): boolean {
    while (this.#heldBytes > 0 && this.#heldBytes + bytes > this.#maxBytes) {
      const inTheWay = this.#mostStalled();
      if (inTheWay === undefined) return false;
      this.#cut(inTheWay);
    }
    return true;
  }

  #mostStalled(): ServerResponse | undefined {
    const now = performance.now();
    let found: ServerResponse | undefined;
    let longest = IN_THE_WAY_MS;
    for (const [response, delivery] of this.#deliveries) {
      this.#look(delivery, now);
      const stalled = now - delivery.drainedAt;
      if (delivery.holds.length === 0 || stalled < longest) continue;
      [found, longest] = [response, stalled];
    }
    return found;
  }

  /** What waits for this side is no fault of the client. */
  #look(delivery: Delivery, now: number): void {
    const drained = drainedBytes(delivery.socket);
    if (delivery.socket.writableLength > 0 && drained === delivery.drained) return;
    delivery.drained = drained;
    delivery.drainedAt = now;
  }

  #check(response: ServerResponse): void {
    const delivery = this.#deliveries.get(response);
    if (delivery === undefined) return;
    const now = performance.now();
    this.#look(delivery, now);
    const { socket, drainedAt, begun, stallMs, deadlineMs } = delivery;
    // A response that waits behind another one is not told when its connection ends.
    if (socket.destroyed || now - drainedAt >= stallMs || now - begun >= deadlineMs) this.#cut(response);
  }

  #cut(response: ServerResponse): void {
    const delivery = this.#deliveries.get(response);
    this.#end(response);
    delivery?.socket.destroy();
  }

  #end(response: ServerResponse): void {
    const delivery = this.#deliveries.get(response);
    if (delivery === undefined) return;
    this.#deliveries.delete(response);
    clearInterval(delivery.timer);
    for (const what of delivery.holds) {
      const held = this.#held.get(what);
      if (held === undefined || --held.holders > 0) continue;
      this.#held.delete(what);
      this.#heldBytes -= held.bytes;
    }
  }
}

/** Bytes that the system has taken of what was written to a socket. */
function drainedBytes(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
