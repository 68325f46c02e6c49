import type { ErrorCode, TallybookError } from '../../errors.js';
import type { ReadingOutcome } from '../../values/record/reading.js';

/** Maximum number of readings in one push. */
export const PUSH_MAX_READINGS = 1_000;

/** Readings as a device sends them. The source checks each of them. */
export interface PushedReadings {
  /** Run of the device's numbers, 1 to 64 characters: a device that has lost count begins another run. */
  readonly run: string;
  /** At most {@link PUSH_MAX_READINGS}. An empty list only shows that the device is alive. */
  readonly readings: readonly unknown[];
  /** Whether somebody at a desk or a kiosk sends them, who also records for persons without a tag. Default: a device does. */
  readonly isByHand?: boolean;
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
