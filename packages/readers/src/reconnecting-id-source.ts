import { Reconnection, type DeviceSession } from '@tallybook/devices';
import type { Clock, TallybookError } from '@tallybook/domain';
import type { IdFormat } from './formats/id-format.js';
import type { LineHealth } from './line-health.js';
import { ObservableIdSource } from './observable-id-source.js';

export interface ReconnectingOptions {
  /** What makes ids of what the device delivers. Default: hex, as it comes. */
  readonly format?: IdFormat | undefined;
  /** Milliseconds to wait before an attempt, which is counted from 1. Default: `retryDelayMs`. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
  /** The file of the device, if it has one: it is tried to reach the device within a second after it is plugged in. */
  readonly path?: string | undefined;
}

/**
 * A reader whose device comes and goes: it is connected while there is a session, each reason why there is none is a
 * fault once, and `open()` resolves after the first attempt, whatever came of it: see {@link Reconnection}.
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
        this.setConnection('waiting');
      },
      retryDelayMs,
      path,
    });
  }

  /** One attempt to reach the device, which rejects as that of a {@link Reconnection} does. */
  protected abstract connect(signal: AbortSignal): Promise<DeviceSession>;

  protected override async onOpen(): Promise<void> {
    await this.#reconnection.open();
  }

  protected override async onClose(): Promise<void> {
    await this.#reconnection.close();
    this.setConnection('waiting');
  }

  /** Reports a fault of a line, and the warning if it is one too many. */
  protected reportFaulty(health: LineHealth, fault: TallybookError): void {
    this.report(fault);
    const warning = health.faulty(fault, this.clock.monotonicMs());
    if (warning !== undefined) this.report(warning);
  }
}
