import type {
  AttendanceService,
  Journal,
  Lifecycle,
  MappingStore,
  Subscribable,
  TallybookError,
  Timekeeper,
} from '@tallybook/domain';
import type { DeviceConnection } from '../reconnection.js';

export interface PublisherDependencies {
  /** The changes to publish, and the position of each publisher by its name. */
  readonly journal: Journal;
  /** The source of names, for a publisher that publishes them. */
  readonly mapping: Pick<MappingStore, 'get'>;
  readonly timekeeper: Timekeeper;
  /** Tells of scans that could not be recorded; the journal has none of them. */
  readonly attendance: Pick<AttendanceService, 'events'>;
}

/**
 * Publishes every change of the record but names, in order, later if it is not possible at once.
 *
 * Open it after the stores and the journal, and before the attendance service; close it after the attendance service. It
 * never delays recording. What happens while it is closed is published when it is open again. `open()` rejects with
 * `INVALID_OPTION` if a needed package is not installed, and as {@link Journal} does; a missing receiver is a fault.
 */
export interface Publisher extends Lifecycle {
  /** Unique on the device. The journal keeps its position under this name; under another name it begins with later changes. */
  readonly name: string;
  /** As it is now; `waiting` while it is closed. */
  readonly connection: DeviceConnection;
  /** `OUTPUT_FAILED`, with `details.reason`: once, until it is over. */
  readonly faults: Subscribable<TallybookError>;
  /** Each change of the connection. */
  readonly connections: Subscribable<DeviceConnection>;
  /**
   * How many changes wait to be published, at most: those of names, which are not published, count too. 0 while the journal
   * cannot tell.
   */
  countWaiting(): Promise<number>;
}
