import type { DeviceConnection, DeviceIndicator } from '@tallybook/devices';
import {
  Emitter,
  ManagedResource,
  type Indication,
  type Signal,
  type Subscribable,
  type TallybookError,
} from '@tallybook/domain';

/** Signals of an indicator: the outcome of a scan, or, once, that the service is ready. */
export type Display = Signal | 'started';

export interface DeviceIndicatorOptions {
  readonly name: string;
  /** Name of the reader whose taps it shows. Default: it shows the taps at all readers. */
  readonly reader?: string | undefined;
}

/** Common part of indicators; the subclass shows the signals. */
export abstract class BaseIndicator extends ManagedResource implements DeviceIndicator {
  readonly name: string;
  readonly reader: string | undefined;
  readonly #faults = new Emitter<TallybookError>();
  readonly #connections = new Emitter<DeviceConnection>();
  readonly faults: Subscribable<TallybookError> = this.#faults;
  readonly connections: Subscribable<DeviceConnection> = this.#connections;
  #connection: DeviceConnection = 'waiting';
  #hasStarted = false;

  constructor({ name, reader }: DeviceIndicatorOptions) {
    super();
    this.name = name;
    this.reader = reader;
  }

  show(indication: Indication): void {
    if (this.status !== 'open') return;
    if (this.#isMine(indication.reader)) this.display(indication.signal, indication);
  }

  /** If a reader has several devices, the name of each is the name of the reader, a slash, and a name of its own. */
  #isMine(reader: string): boolean {
    return this.reader === undefined || reader === this.reader || reader.startsWith(`${this.reader}/`);
  }

  /** Shows a signal, at once and without throwing. `indication` is given for all signals except `started`. */
  protected abstract display(display: Display, indication?: Indication): void;

  /** Records that the device is there. The first time since {@link begin}, it shows `started`. */
  protected connected(): void {
    this.#setConnection('connected');
    if (!this.#hasStarted) this.display('started');
    this.#hasStarted = true;
  }

  /** Records that the device is not there. Give the fault if it was not reported before. */
  protected disconnected(fault?: TallybookError): void {
    if (fault !== undefined) this.report(fault);
    this.#setConnection('waiting');
  }

  /** Call it at the opening: then the next connection shows `started`. */
  protected begin(): void {
    this.#hasStarted = false;
  }

  protected report(error: TallybookError): void {
    if (this.status !== 'closed') this.#faults.emit(error);
  }

  /** Reports a change of the connection; while the indicator closes, it is only stored. */
  #setConnection(connection: DeviceConnection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    if (this.status === 'opening' || this.status === 'open') this.#connections.emit(connection);
  }
}
