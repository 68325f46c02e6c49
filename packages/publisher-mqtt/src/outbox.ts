import type { Lifecycle, Subscribable, TallybookError } from '@tallybook/domain';
import type { LatestScans } from './latest-scans.js';
import type { ScanMessage } from './scan-message.js';

/** A message that waits to be delivered. */
export interface OutboxMessage {
  /** Place in the order of adding, from 1; each message has the next number. */
  readonly sequence: number;
  /** JSON in ASCII: an object with the data of the scan, and a unique id as `message`. */
  readonly text: string;
  /** Monotonic time of the tap; `undefined` if it was before the start of the service. */
  readonly tappedMs: number | undefined;
}

/**
 * Messages that wait for delivery, in order.
 *
 * When it is full, each new message replaces the oldest one: listeners need the present, and the past is in the
 * record. No failure of an outbox stops other work: `open()` and `add()` do not fail because of a disk. There is a
 * fault, and messages are in memory only.
 */
export interface Outbox extends Lifecycle {
  /** `OUTPUT_FAILED`, with `details.reason`: `full`, `given-up`, `unwritable` or `damaged`; once, until it is over. */
  readonly faults: Subscribable<TallybookError>;
  /** The latest scans added so far; `undefined` if unknown. */
  readonly latest: LatestScans | undefined;
  /** How many messages wait. */
  readonly size: number;
  /** Adds a message. Resolves when it is durable, or cannot be made durable now. */
  add(message: ScanMessage, tappedMs: number | undefined): Promise<void>;
  /** The oldest messages, so many at most. */
  first(count: number): readonly OutboxMessage[];
  /** Removes all messages up to this one. */
  removeThrough(sequence: number): void;
}

/** How many messages may wait. */
export const OUTBOX_LIMIT_RANGE = { lowest: 1, highest: 1_000_000 } as const;
export const OUTBOX_DEFAULT_LIMIT = 100_000;
