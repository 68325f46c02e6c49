import type { IncomingMessage } from 'node:http';
import { counted, type Subscription } from '@tallybook/domain';
import { limitedOption } from '../limits.js';
import { Places } from '../places.js';

export interface StreamLimits {
  /**
   * Largest number of simultaneous event streams of one client, 1..1000000, default 100. Programs on this machine have
   * no such limit.
   */
  readonly maxStreamsPerAddress?: number;
  /**
   * Largest number of simultaneous event streams of one session or token, 1..1000000, default 20. One more ends the
   * oldest.
   */
  readonly maxStreamsPerSession?: number;
}

/** Prevents one client, or one session, from taking the event streams of all others. */
export class StreamPlaces {
  /** The reason why {@link take} gives no place. */
  readonly refusal: string;
  readonly #perAddress: Places;
  readonly #maxPerSession: number;
  /** The streams of each session, the oldest first. */
  readonly #ofSession = new Map<string, Set<Subscription>>();

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(options: StreamLimits) {
    const maxPerAddress = limitedOption('maxStreamsPerAddress', options);
    this.#maxPerSession = limitedOption('maxStreamsPerSession', options);
    this.#perAddress = new Places(maxPerAddress);
    this.refusal = `this address has the maximum of ${counted(maxPerAddress, 'event stream')}; close one`;
  }

  /** @returns As {@link Places.take}. */
  take(network: string | undefined): (() => void) | undefined {
    return this.#perAddress.take(network);
  }

  /**
   * Begins a stream of a session. If the session has its maximum, its oldest stream ends: the client of that stream may have
   * vanished long before the kernel notices.
   *
   * @param session `undefined` is not counted.
   */
  begin(session: string | undefined, request: IncomingMessage, subscribe: () => Subscription): Subscription {
    if (session === undefined) return subscribe();
    const streams = this.#ofSession.get(session) ?? new Set();
    const [oldest] = streams;
    if (oldest !== undefined && streams.size >= this.#maxPerSession) {
      streams.delete(oldest);
      oldest.unsubscribe();
    }
    const stream = subscribe();
    this.#ofSession.set(session, streams.add(stream));
    request.once('close', () => {
      if (streams.delete(stream) && streams.size === 0) this.#ofSession.delete(session);
    });
    return stream;
  }
}
