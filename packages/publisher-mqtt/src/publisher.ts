import type { DeviceConnection } from '@tallybook/devices';
import type { AttendanceService, Clock, Lifecycle, Subscribable, TallybookError } from '@tallybook/domain';

/** What a publisher needs to know of attendance: what becomes of each scan, and what the record says. */
export type PublishedAttendance = Pick<AttendanceService, 'events' | 'listDays' | 'loadDay'>;

export interface PublisherDependencies {
  readonly attendance: PublishedAttendance;
  readonly clock: Clock;
  /**
   * Where publishers keep their outboxes, each in a folder of its own, named after it. What is missing is made when a
   * publisher is opened. Without it, what waits is in memory alone.
   */
  readonly outboxFolder?: string | undefined;
}

/**
 * Tells others of every scan, and of each one that it could not tell at once when it can.
 *
 * Open it when the stores are open and before the attendance service is, and close it after the attendance service:
 * what happens while it is not open it does not hear of. It never holds up recording. `open()` rejects with
 * `INVALID_OPTION` only, if what it needs is not installed: that nobody is there to be told is a fault.
 */
export interface Publisher extends Lifecycle {
  /** Unique on the device. */
  readonly name: string;
  /** `OUTPUT_FAILED`, with `details.reason`: once, until it is over. */
  readonly faults: Subscribable<TallybookError>;
  /** Each change of whether somebody is there to be told, once. Nobody is when the publisher is opened. */
  readonly connections: Subscribable<DeviceConnection>;
}
