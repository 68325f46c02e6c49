import { limitedOption } from '../limits.js';

export interface EventFeedOptions {
  /** Largest number of streams at the same time, 1..1000000, default 1000. */
  readonly maxSubscribers?: number;
  /**
   * Largest number of bytes that may wait for one subscriber, 0..1073741824, default 262144. A subscriber with more is
   * cut off.
   */
  readonly maxBufferedBytes?: number;
  /** Milliseconds between two comment lines, 1..3600000, default 15000. */
  readonly keepAliveMs?: number;
  /** Milliseconds that a client is asked to wait before it reconnects, 0..3600000, default 2000. */
  readonly retryMs?: number;
}

/** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
export function readFeedOptions(options: EventFeedOptions): Required<EventFeedOptions> {
  return {
    maxSubscribers: limitedOption('maxSubscribers', options),
    maxBufferedBytes: limitedOption('maxBufferedBytes', options),
    keepAliveMs: limitedOption('keepAliveMs', options),
    retryMs: limitedOption('retryMs', options),
  };
}
