import type { DeviceConnection } from '@tallybook/devices';
import type { AttendanceService, Clock, Lifecycle, Subscribable, TallybookError } from '@tallybook/domain';

/** The part of the attendance service that a publisher needs: events of scans, and the record. */
export type PublishedAttendance = Pick<AttendanceService, 'events' | 'listDays' | 'loadDay'>;

export interface PublisherDependencies {
  readonly attendance: PublishedAttendance;
  readonly clock: Clock;
  /**
   * Folder of the outboxes; each publisher has a folder in it, named after it. Missing folders are made at the
   * opening. Without it, messages are in memory only.
   */
  readonly outboxFolder?: string | undefined;
}

/**
 * Publishes every scan, later if it is not possible at once.
 *
 * Open it after the stores and before the attendance service, and close it after the attendance service: it gets no
 * events while it is closed. It never delays recording. `open()` rejects only with `INVALID_OPTION`, if a needed
 * package is not installed; a missing broker is a fault.
 */
export interface Publisher extends Lifecycle {
  /** Unique on the device. */
  readonly name: string;
  /** As it is now; `waiting` while it is closed. */
  readonly connection: DeviceConnection;
  /** How many messages wait to be delivered, now. */
  readonly waiting: number;
  /** `OUTPUT_FAILED`, with `details.reason`: once, until it is over. */
  readonly faults: Subscribable<TallybookError>;
  /** Each change of the connection. The publisher opens as `waiting`. */
  readonly connections: Subscribable<DeviceConnection>;
}
