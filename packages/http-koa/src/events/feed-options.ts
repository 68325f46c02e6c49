import { limitedOption, type Limits } from '../limited-option.js';

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

/** Minimum, maximum and default of each option. */
export const feedLimits: Limits<EventFeedOptions> = {
  maxSubscribers: [1, 1_000_000, 1_000],
  maxBufferedBytes: [0, 1_073_741_824, 262_144],
  keepAliveMs: [1, 3_600_000, 15_000],
  retryMs: [0, 3_600_000, 2_000],
};

/** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
export function readFeedOptions(options: EventFeedOptions): Required<EventFeedOptions> {
  return {
    maxSubscribers: limitedOption('maxSubscribers', options, feedLimits),
    maxBufferedBytes: limitedOption('maxBufferedBytes', options, feedLimits),
    keepAliveMs: limitedOption('keepAliveMs', options, feedLimits),
    retryMs: limitedOption('retryMs', options, feedLimits),
  };
}
