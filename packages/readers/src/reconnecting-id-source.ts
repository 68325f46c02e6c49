import { Reconnection, type DeviceSession } from '@tallybook/devices';
import type { Clock, IdFormat, TallybookError } from '@tallybook/domain';
import type { LineHealth } from './line-health.js';
import { ObservableIdSource } from './observable-id-source.js';

export interface ReconnectingOptions {
  /** Makes ids of the data of the device. Default: hex, unchanged. */
  readonly format?: IdFormat | undefined;
  /** Milliseconds to wait before an attempt, by its number from 1. Default: `retryDelayMs`. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
  /**
   * The file of the device, if it has one. Within a second after the device is plugged in, an attempt to connect
   * follows.
   */
  readonly path?: string | undefined;
}

/**
 * A reader whose device may be lost and come back. It is connected while there is a session. Each reason for a missing
 * session is one fault. `open()` resolves after the first attempt, successful or not: see {@link Reconnection}.
 */
export abstract class ReconnectingIdSource extends ObservableIdSource {
  readonly #reconnection: Reconnection;

  /** @throws {TallybookError} `INVALID_OPTION` as {@link ObservableIdSource} does. */
  constructor(name: string, clock: Clock, { format, retryDelayMs, path }: ReconnectingOptions) {
    super(name, clock, format);
    this.#reconnection = new Reconnection({
      connect: (signal) => this.connect(signal),
      onConnected: () => this.setConnection('connected'),
      onWaiting: (fault) => {
        if (fault !== undefined) this.report(fault);
        // A repeated fault is not reported again.
        this.setConnection('waiting', true);
      },
      retryDelayMs,
      path,
    });
  }

  /** One attempt to reach the device. It rejects as `connect` of {@link Reconnection} does. */
  protected abstract connect(signal: AbortSignal): Promise<DeviceSession>;

  protected override async onOpen(): Promise<void> {
    await this.#reconnection.open();
  }

  protected override async onClose(): Promise<void> {
    await this.#reconnection.close();
    this.setConnection('waiting');
  }

  /** Reports a fault of a line, and a warning if the line delivers only faults. */
  protected reportFaulty(health: LineHealth, fault: TallybookError): void {
    this.report(fault);
    const warning = health.faulty(fault, this.clock.monotonicMs());
    if (warning !== undefined) this.report(warning);
  }
}
