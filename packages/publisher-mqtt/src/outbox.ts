import type { Lifecycle, Subscribable, TallybookError } from '@tallybook/domain';
import type { LatestScans } from './latest-scans.js';
import type { ScanMessage } from './scan-message.js';

/** A message that waits to be delivered. */
export interface OutboxMessage {
  /** Its place in the order of adding, from 1; a message is one more than the one before, and no two are the same. */
  readonly sequence: number;
  /** JSON in ASCII: an object with what is told of the scan, and as `message` an id that no other message ever has. */
  readonly text: string;
  /** When the tag was tapped, on the monotonic clock; `undefined` if that was before the service was started. */
  readonly tappedMs: number | undefined;
}

/**
 * What waits to be delivered, in order.
 *
 * When it is full, the oldest message is given up for a new one: who listens wants to know what is, and what was is in
 * the record. Nothing that happens to an outbox keeps anything else from working: `open()` and `add()` do not fail for
 * the sake of a disk, but there is a fault, and what waits is in memory alone.
 */
export interface Outbox extends Lifecycle {
  /** `OUTPUT_FAILED`, with `details.reason`: `full`, `given-up`, `unwritable` or `damaged`; once, until it is over. */
  readonly faults: Subscribable<TallybookError>;
  /** The latest scans that were ever added; `undefined` if it does not remember any. */
  readonly latest: LatestScans | undefined;
  /** Adds a message. Resolves when it is durable, or cannot be made so now. */
  add(message: ScanMessage, tappedMs: number | undefined): Promise<void>;
  /** The oldest messages, so many at most. */
  first(count: number): readonly OutboxMessage[];
  /** Removes all messages up to this one. */
  removeThrough(sequence: number): void;
}

/** How many messages may wait. */
export const OUTBOX_LIMIT_RANGE = { lowest: 1, highest: 1_000_000 } as const;
export const OUTBOX_DEFAULT_LIMIT = 100_000;
