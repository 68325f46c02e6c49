import type { TallybookError } from '../errors.js';
import type { Lifecycle } from '../lifecycle.js';
import type { Subscribable } from '../subscribable.js';
import type { Reading } from '../values/reading.js';
import type { TallyId } from '../values/tally-id.js';
import type { Clock } from './clock.js';

/** Something that went wrong at a reader and is over, or is being seen to: nobody has to act on the stream. */
export interface ReaderFault {
  readonly reader: string;
  /**
   * `FRAME_INVALID` (noise, a broken frame), `INVALID_TALLY_ID`, `BLANK_TALLY_ID` (the reader says "no tag"),
   * `UNSTABLE_TALLY_ID` (delivered, but the tag makes up another id for each tap), or `READER_DISCONNECTED` (once when the device is lost or found missing, not for every attempt to get it back).
   */
  readonly error: TallybookError;
}

/** Whether the device behind a reader is there: `waiting` means that the adapter keeps trying to reach it. */
export type ReaderConnection = 'connected' | 'waiting';

/**
 * A device, or a stream, that delivers readings.
 *
 * For implementors: `open()` succeeds even if the device is missing; then the connection is `waiting` and the
 * adapter keeps trying by itself, less and less often, for ever. A fault (cable pulled, bad frame) never ends a
 * stream. Deliver every valid id that the device sends, repeated ones too: the repeat window is the domain's.
 * Refuse with a fault what {@link parseReadId} refuses. Nothing is delivered while the source is not open, and
 * closing does not complete the streams, so that subscribers stay across `close()` and `open()`.
 *
 * An RxJS `Observable` satisfies {@link Subscribable}; hand out `subject.asObservable()` and keep the subject.
 */
export interface IdSource extends Lifecycle {
  /** Name of the reader, unique on the device. */
  readonly name: string;
  /** What kind of device it is, in a word for people, such as `serial`. */
  readonly kind?: string | undefined;
  /** What it is now; `waiting` while the source is not open. */
  readonly connection: ReaderConnection;
  readonly readings: Subscribable<Reading>;
  readonly faults: Subscribable<ReaderFault>;
  /** Each change of `connection` while the source is open, once. */
  readonly connections: Subscribable<ReaderConnection>;
}

/** Stamps an id with reader and time, for implementors of {@link IdSource}. */
export function createReading(clock: Clock, reader: string, id: TallyId): Reading {
  return { id, reader, at: clock.now(), monotonicMs: clock.monotonicMs() };
}
