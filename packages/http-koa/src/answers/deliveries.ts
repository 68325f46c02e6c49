import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limitedOption, type Limits } from './limited-option.js';

export interface DeliveryOptions {
  /**
   * Milliseconds after which a client that takes nothing of its answer is cut off, 1..3600000, default 30000. A server may
   * have a shorter limit: the listener of `@tallybook/server` has its own `stallMs`, 60000 by default.
   */
  readonly answerStallMs?: number;
  /**
   * Longest time for a whole answer, in milliseconds, after which the client is cut off, 1..86400000, default 600000.
   */
  readonly answerDeadlineMs?: number;
  /** Largest memory, in bytes, for all unfinished answers, 1..17179869184, default 33554432. */
  readonly maxAnswerBytes?: number;
}

/** Minimum, maximum and default of each option. */
export const deliveryLimits: Limits<DeliveryOptions> = {
  answerStallMs: [1, 3_600_000, 30_000],
  answerDeadlineMs: [1, 86_400_000, 600_000],
  maxAnswerBytes: [1, 17_179_869_184, 33_554_432],
};

/**
 * Smallest number of checks of a client before it is cut off. Clients without progress must also be noticed in time
 * when memory is short.
 */
const LOOKS = 4;
const LOOK_MS = 500;
/** Milliseconds without progress after which a client is cut off if another one needs its memory. */
const IN_THE_WAY_MS = 1_000;

/** The times that one client is given. */
export interface Patience {
  readonly stallMs: number;
  readonly deadlineMs: number;
}

interface Delivery extends Patience {
  readonly socket: Socket;
  readonly timer: NodeJS.Timeout;
  readonly begun: number;
  /** The objects that the answer keeps in memory. An object that several answers share counts once. */
  readonly holds: object[];
  drained: number;
  drainedAt: number;
}

/**
 * The unfinished answers to clients that do not take them at once.
 *
 * A client that takes nothing is cut off, and sooner if others need its memory. An answer that does not fit into memory is
 * refused.
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
      stallMs: limitedOption('answerStallMs', options, deliveryLimits),
      deadlineMs: limitedOption('answerDeadlineMs', options, deliveryLimits),
    };
    this.#maxBytes = limitedOption('maxAnswerBytes', options, deliveryLimits);
  }

  /** Number of watched answers. */
  get watched(): number {
    return this.#deliveries.size;
  }

  /** Bytes of memory held for unfinished answers. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Watches a response that is written completely until its client has it. Does nothing if the system has taken all of
   * it.
   */
  watchUnsent(response: ServerResponse): void {
    // `writableFinished` is not used: on Node 24 it becomes true a little later.
    if (response.writableEnded && response.writableLength > 0) this.watch(response);
  }

  /** Watches a response until it ends, and cuts it off if its client is too slow. */
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
   * Counts the memory that a watched response holds until it ends. Several responses may share an object, which is counted
   * once. The memory of a response that is not watched is not counted.
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

  /** Frees memory by cutting off slow clients. A too large answer is accepted if it is the only one. */
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

  /** Notes progress of a client. Time in which nothing waits for the client does not count. */
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
    // A response that waits behind another one gets no event when its connection ends.
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

/** Number of bytes that the system has taken from a socket. */
function drainedBytes(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
