import type { ErrorCode, TallybookError } from '../../errors.js';
import type { Lifecycle } from '../../lifecycle.js';
import type { Subscribable } from '../../subscribable.js';
import type { Reading, ReadingOutcome } from '../../values/record/reading.js';
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

/** Maximum number of readings in one push. */
export const PUSH_MAX_READINGS = 1_000;

/** Readings as a device sends them. The source checks each of them. */
export interface PushedReadings {
  /** Run of the device's numbers, 1 to 64 characters: a device that has lost count begins another run. */
  readonly run: string;
  /** At most {@link PUSH_MAX_READINGS}. An empty list only shows that the device is alive. */
  readonly readings: readonly unknown[];
}

/** Outcome of a pushed reading. */
export interface PushResult {
  /** The device's own number for the reading, if it gave a valid one. */
  readonly n: number | undefined;
  /**
   * `refused`: the reading is never taken, and `error` says why (`TAG_ERASED`: see `ReadingOutcome`). `not-kept`: it could
   * not be kept now; the device keeps it, and sends it again. After every other outcome, the device may forget the reading.
   */
  readonly outcome: ReadingOutcome | 'not-kept';
  readonly error?: { readonly code: ErrorCode; readonly message: string } | undefined;
}

/** A reader that gets its readings from requests of a device or a program. */
export interface PushSource {
  /** As in `IdSource`. */
  readonly name: string;
  /**
   * Takes readings. Resolves with the final result of each reading, in the given order. A refused reading does not hold
   * up the others.
   *
   * @returns `undefined` if too many requests of the device are waiting, so that this one was not begun.
   * @throws {TallybookError} `NOT_OPEN` while the source is not open.
   */
  push(pushed: PushedReadings): Promise<readonly PushResult[] | undefined>;
  /**
   * Notes an unreadable request, from which no reading was taken. It shows that the device is alive, and `error` becomes a
   * fault of the reader, so that operators see it too. While the source is not open, nothing is noted.
   */
  noteUnreadable(error: TallybookError): void;
}
