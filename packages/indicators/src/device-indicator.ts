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
 * An indicator with a device.
 *
 * `open()` succeeds even if the device is missing; the adapter keeps trying, for ever. Signals are dropped while the
 * device is missing, because nobody stands at the reader any more when it is back.
 */
export interface DeviceIndicator extends Indicator, Lifecycle {
  /** Unique on the device. */
  readonly name: string;
  /** Name of its reader; `undefined` if it shows the taps at all readers. */
  readonly reader: string | undefined;
  /** `OUTPUT_FAILED`, once for each reason until it works again. */
  readonly faults: Subscribable<TallybookError>;
  /** Each change of the connection. The indicator opens as `waiting`. */
  readonly connections: Subscribable<DeviceConnection>;
}

/** Signals of an indicator: the outcome of a scan, or, once, that the service is ready. */
export type Display = Signal | 'started';

export interface DeviceIndicatorOptions {
  readonly name: string;
  /** Name of its reader. Default: it shows the taps at all readers. */
  readonly reader?: string | undefined;
}

/** Common part of indicators; the subclass shows the signals. */
export abstract class BaseIndicator extends ManagedResource implements DeviceIndicator {
  readonly name: string;
  readonly reader: string | undefined;
  readonly faults: Subscribable<TallybookError>;
  readonly connections: Subscribable<DeviceConnection>;
  readonly #faults = new Emitter<TallybookError>();
  readonly #connections = new Emitter<DeviceConnection>();
  #connection: DeviceConnection = 'waiting';

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

  /** A reader with several devices names them with its own name, a slash, and theirs. */
  #isMine(reader: string): boolean {
    return this.reader === undefined || reader === this.reader || reader.startsWith(`${this.reader}/`);
  }

  /** Shows a signal, at once and without throwing. There is an indication unless it is `started`. */
  protected abstract display(display: Display, indication?: Indication): void;

  protected report(error: TallybookError): void {
    if (this.status !== 'closed') this.#faults.emit(error);
  }

  /** Reports a change of the connection; while the indicator closes, it is only stored. */
  protected setConnection(connection: DeviceConnection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    if (this.status === 'opening' || this.status === 'open') this.#connections.emit(connection);
  }
}
