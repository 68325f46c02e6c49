import type { DeviceConnection } from '@tallybook/devices';
import {
  Emitter,
  ManagedResource,
  type Indication,
  type Indicator,
  type Lifecycle,
  type Signal,
  type Subscribable,
  type TallybookError,
} from '@tallybook/domain';

/**
 * An indicator with a device behind it.
 *
 * `open()` succeeds even if the device is missing, and the adapter keeps trying by itself, for ever. While the
 * device is missing, what should be shown is dropped: nobody stands at the reader any more when it is back.
 */
export interface DeviceIndicator extends Indicator, Lifecycle {
  /** Unique on the device. */
  readonly name: string;
  /** Name of the one reader that it belongs to; `undefined` if it shows what happens at all of them. */
  readonly reader: string | undefined;
  /** What keeps it from showing: `OUTPUT_FAILED`, once for each reason until it works again. */
  readonly faults: Subscribable<TallybookError>;
  /** Each change of whether the device is there, once. It is not when the indicator is opened. */
  readonly connections: Subscribable<DeviceConnection>;
}

/** What an indicator can show: what became of a scan, or, once, that taps are taken from now on. */
export type Display = Signal | 'started';

export interface DeviceIndicatorOptions {
  readonly name: string;
  /** Name of the one reader that it belongs to. Default: it shows what happens at all of them. */
  readonly reader?: string | undefined;
}

/** An indicator that leaves to the subclass how something is shown. */
export abstract class BaseIndicator extends ManagedResource implements DeviceIndicator {
  readonly name: string;
  readonly reader: string | undefined;
  readonly faults: Subscribable<TallybookError>;
  readonly connections: Subscribable<DeviceConnection>;
  readonly #faults = new Emitter<TallybookError>();
  readonly #connections = new Emitter<DeviceConnection>();
  #connection: DeviceConnection = 'waiting';
  #hasStarted = false;

  constructor({ name, reader }: DeviceIndicatorOptions) {
    super();
    this.name = name;
    this.faults = this.#faults;
    this.connections = this.#connections;
    this.reader = reader;
  }

  show(indication: Indication): void {
    if (this.status !== 'open') return;
    if (this.#isMine(indication.reader)) this.display(indication.signal, indication);
  }

  /** A reader behind which there are several devices calls them by its own name, a slash, and theirs. */
  #isMine(reader: string): boolean {
    return this.reader === undefined || reader === this.reader || reader.startsWith(`${this.reader}/`);
  }

  /** Shows it, at once and without throwing. There is an indication unless it is `started`. */
  protected abstract display(display: Display, indication?: Indication): void;

  /** Says that the device is there, and shows `started` the first time since {@link begin}. */
  protected connected(): void {
    this.#setConnection('connected');
    if (!this.#hasStarted) this.display('started');
    this.#hasStarted = true;
  }

  /** Says that the device is not there, and why, if that is news. */
  protected disconnected(fault?: TallybookError): void {
    if (fault !== undefined) this.report(fault);
    this.#setConnection('waiting');
  }

  /** To be called when it opens: the next device that is there shows `started`. */
  protected begin(): void {
    this.#hasStarted = false;
  }

  protected report(error: TallybookError): void {
    if (this.status !== 'closed') this.#faults.emit(error);
  }

  /** Tells whether the device is there, if that is news; while the indicator closes, it takes note of it only. */
  #setConnection(connection: DeviceConnection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    if (this.status === 'opening' || this.status === 'open') this.#connections.emit(connection);
  }
}
