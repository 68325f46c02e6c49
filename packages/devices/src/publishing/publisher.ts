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
  /** The names, for a publisher that publishes them. */
  readonly mapping: Pick<MappingStore, 'get'>;
  readonly timekeeper: Timekeeper;
  /** Source of the scans that could not be recorded; the journal has none of them. */
  readonly attendance: Pick<AttendanceService, 'events'>;
}

/**
 * Publishes every change of the record except names, in order. After a failure, it publishes later.
 *
 * Open it after the stores and the journal, and before the attendance service; close it after the attendance service.
 * It never delays recording. Changes that happen while it is closed are published when it is open again. `open()`
 * rejects with `INVALID_OPTION` if a needed package is not installed, and as {@link Journal} does. A missing receiver
 * is a fault.
 */
export interface Publisher extends Lifecycle {
  /**
   * Unique on the device. The journal keeps its position under this name. Under a new name, only changes from then on
   * are published.
   */
  readonly name: string;
  /** The present state of the connection; `waiting` while the publisher is closed. */
  readonly connection: DeviceConnection;
  /**
   * Why it publishes nothing any more: its receiver gives an answer that another attempt will not change. No change is
   * skipped. `undefined` while it publishes. A publisher that a broker does not let in goes on trying to connect.
   */
  readonly stopped: TallybookError | undefined;
  /** Number of changes that its receiver refused, and that are kept to be sent again: 0..1000. */
  readonly setAside: number;
  /** `OUTPUT_FAILED`, with `details.reason`: each fault once until it is over. */
  readonly faults: Subscribable<TallybookError>;
  /** Each change of the connection. */
  readonly connections: Subscribable<DeviceConnection>;
  /**
   * Largest number of changes that may wait to be published: changes of names count too, though they are not published.
   * 0 while the journal cannot be read.
   */
  countWaiting(): Promise<number>;
  /** Begins to send the set-aside changes again, and goes on if it has stopped. */
  sendAgain(): void;
}
