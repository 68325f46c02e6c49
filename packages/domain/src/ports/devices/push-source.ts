import type { ErrorCode, TallybookError } from '../../errors.js';
import type { ReadingOutcome } from '../../values/record/reading.js';

/** Most readings that are pushed together. */
export const PUSH_MAX_READINGS = 1_000;

/** Readings as a device sends them. The source checks each of them. */
export interface PushedReadings {
  /**
   * Run of the device's numbers, 1 to 64 characters: a device that has lost count begins another one.
   */
  readonly run: string;
  /** At most {@link PUSH_MAX_READINGS}. None: the device only says that it is there. */
  readonly readings: readonly unknown[];
}

/** Outcome of a pushed reading. */
export interface PushResult {
  /** The device's own number for the reading, if it gave a valid one. */
  readonly n: number | undefined;
  /**
   * `refused`: it can never be taken, and `error` says why (`TAG_ERASED`: see `ReadingOutcome`). `not-kept`: it could not be
   * kept now; the device keeps it, and sends it again. All others: the device may forget it.
   */
  readonly outcome: ReadingOutcome | 'not-kept';
  readonly error?: { readonly code: ErrorCode; readonly message: string } | undefined;
}

/** A reader that is fed by its device, or by a program, over a request. */
export interface PushSource {
  /** As in `IdSource`. */
  readonly name: string;
  /**
   * Takes readings, and resolves with what became of each, in the given order, once that is certain. One that is refused
   * holds up no other.
   *
   * @returns `undefined` if so many requests of the device are waiting that this one was not begun.
   * @throws {TallybookError} `NOT_OPEN` while it is not open.
   */
  push(pushed: PushedReadings): Promise<readonly PushResult[] | undefined>;
  /**
   * Notes a request that cannot be read, of which nothing was taken: the device is there, and `error` becomes a fault of the
   * reader, so that not only the device knows. While it is not open nothing is noted.
   */
  noteUnreadable(error: TallybookError): void;
}
