import type { ServerResponse } from 'node:http';
import { limitedOption } from '../limits.js';

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
  /** Largest memory, in bytes, for one answer, and for all unfinished answers together, 1..17179869184, default 134217728. */
  readonly maxAnswerBytes?: number;
  /** Longest time, in milliseconds, that a request waits for its turn to read the store, 1..3600000, default 25000. */
  readonly answerWaitMs?: number;
}

/** A client is cut off when so many looks in a row find that it took nothing. */
const LOOKS = 4;

/** The unfinished answers: their memory is limited, and a client that is too slow is cut off. */
export class Deliveries {
  readonly maxBytes: number;
  readonly waitMs: number;
  readonly #deadlineMs: number;
  readonly #everyMs: number;
  readonly #watched = new Set<ServerResponse>();
  /** Number of responses that send each of the objects. */
  readonly #sent = new Map<object, number>();
  #bytes = 0;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(options: DeliveryOptions = {}) {
    this.maxBytes = limitedOption('maxAnswerBytes', options);
    this.waitMs = limitedOption('answerWaitMs', options);
    this.#deadlineMs = limitedOption('answerDeadlineMs', options);
    const stallMs = limitedOption('answerStallMs', options);
    this.#everyMs = Math.min(stallMs / LOOKS, this.#deadlineMs);
  }

  /**
   * Takes memory for an object to send. Several responses may send an object, which counts once.
   *
   * @returns A function that gives the memory back; `undefined` if there is not enough.
   */
  take(what: object, bytes: number): (() => void) | undefined {
    const before = this.#sent.get(what) ?? 0;
    if (before === 0 && this.#bytes + bytes > this.maxBytes) return undefined;
    if (before === 0) this.#bytes += bytes;
    this.#sent.set(what, before + 1);
    return () => {
      const left = (this.#sent.get(what) ?? 0) - 1;
      if (left > 0) this.#sent.set(what, left);
      else if (this.#sent.delete(what)) this.#bytes -= bytes;
    };
  }

  /** Watches a response that is written completely until its client has it, unless the system has taken all of it. */
  watchUnsent(response: ServerResponse): void {
    // `writableFinished` is not used: on Node 24 it becomes true a little later.
    if (response.writableEnded && response.writableLength > 0) this.watch(response);
  }

  /** Watches a response until it ends, and cuts it off if its client is too slow. */
  watch(response: ServerResponse): void {
    const { socket } = response.req;
    if (this.#watched.has(response) || response.closed || socket.destroyed) return;
    this.#watched.add(response);
    /** Number of bytes that the system has taken. */
    const taken = (): number => socket.bytesWritten - socket.writableLength;
    let [looks, idle, before] = [0, 0, taken()];
    const look = setInterval(() => {
      // Time in which nothing waits for the client does not count.
      idle = socket.writableLength > 0 && taken() === before ? idle + 1 : 0;
      before = taken();
      if (idle >= LOOKS || ++looks * this.#everyMs >= this.#deadlineMs) socket.destroy();
      // A response that waits behind another one gets no event when its connection ends.
      if (socket.destroyed) end();
    }, this.#everyMs).unref();
    const end = (): void => {
      this.#watched.delete(response);
      clearInterval(look);
    };
    response.once('close', end);
  }
}
