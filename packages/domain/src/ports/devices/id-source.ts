import type { TallybookError } from '../../errors.js';
import type { Lifecycle } from '../../lifecycle.js';
import type { Subscribable } from '../../subscribable.js';
import type { Reading } from '../../values/record/reading.js';
import type { IdFormatOptions } from '../../values/ids/id-format.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Clock } from '../clock.js';

/** A fault of a reader. Subscribers need not act: the fault is over, or the adapter handles it. */
export interface ReaderFault {
  readonly reader: string;
  /**
   * `FRAME_INVALID` (noise, a broken frame), `INVALID_TALLY_ID`, `BLANK_TALLY_ID` (the id for "no tag"),
   * `UNSTABLE_TALLY_ID` (delivered, but the id of the tag changes with each tap), or `READER_DISCONNECTED` (once when
   * the device is lost or missing, not for every attempt to reach it).
   */
  readonly error: TallybookError;
}

/** Whether the device of a reader is connected: `waiting` means that the adapter keeps trying to reach it. */
export type ReaderConnection = 'connected' | 'waiting';

/**
 * A reader: a device or a stream that delivers readings.
 *
 * For implementors: `open()` succeeds even if the device is missing. Then the connection is `waiting`, and the adapter
 * keeps trying, less and less often, for ever. A fault (cable pulled, bad frame) never ends a stream. Deliver every
 * valid id of the device, even when it repeats: the domain applies the repeat window. An id that {@link parseReadId}
 * refuses is a fault. Deliver nothing while the source is not open. Closing does not complete the streams, so that
 * subscribers stay across `close()` and `open()`.
 *
 * An RxJS `Observable` satisfies {@link Subscribable}; hand out `subject.asObservable()` and keep the subject.
 */
export interface IdSource extends Lifecycle {
  /** Name of the reader, unique on the device. */
  readonly name: string;
  /** Kind of device, one word for people, such as `serial`. */
  readonly kind?: string | undefined;
  /** How it writes ids. People write ids of this reader in the same way. Default: hex. */
  readonly idFormat?: IdFormatOptions | undefined;
  /** What the operator should know of the settings of this reader, one sentence; the service logs it at the start. */
  readonly caution?: string | undefined;
  /** Present state; `waiting` while the source is not open. */
  readonly connection: ReaderConnection;
  readonly readings: Subscribable<Reading>;
  readonly faults: Subscribable<ReaderFault>;
  /** Every change of `connection` while the source is open. */
  readonly connections: Subscribable<ReaderConnection>;
}

/** Stamps an id with reader and time, for implementors of {@link IdSource}. */
export function createReading(clock: Clock, reader: string, id: TallyId): Reading {
  return { id, reader, at: clock.now(), monotonicMs: clock.monotonicMs() };
}
