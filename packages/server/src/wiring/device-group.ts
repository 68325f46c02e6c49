import {
  isTallybookError,
  ManagedResource,
  openAll,
  TallybookError,
  type Lifecycle,
} from '@tallybook/domain';
import type { Log } from '../log/log.js';

/** A reader, an indicator or a publisher. */
interface Device extends Lifecycle {
  readonly name: string;
}

export interface DeviceGroupOptions {
  /** Name of the kind of device in the log. */
  readonly role: 'reader' | 'output';
  /** Opened in this order. */
  readonly devices: readonly Device[];
  readonly log: Log;
  /** Whether opening the group fails if no device can be opened. Default: no. */
  readonly needsOne?: boolean;
  /** Called with the name of each device that could not be opened, while the others are open. */
  readonly onMissing?: (name: string, error: TallybookError) => void;
}

/**
 * Devices on which nothing else depends. If a device cannot be opened because its package or program is missing, that
 * is logged, and the device stays closed until the group is opened again.
 *
 * `open()` rejects if a device throws an unexpected error. With `needsOne`, it also rejects if no device could be
 * opened, with the code of the first error and all messages.
 */
export class DeviceGroup extends ManagedResource {
  readonly #options: DeviceGroupOptions;

  constructor(options: DeviceGroupOptions) {
    super();
    this.#options = options;
  }

  protected override async onOpen(): Promise<void> {
    const { role, devices, log, needsOne = false, onMissing } = this.#options;
    const missing = new Map<string, TallybookError>();
    const dispensable = devices.map(
      (device) => new DispensableDevice(device, (error) => void missing.set(device.name, error)),
    );
    await openAll(dispensable);
    const [first] = missing.values();
    if (needsOne && first !== undefined && missing.size === devices.length) {
      const messages = [...missing.values()].map(({ message }) => message);
      throw new TallybookError(first.code, messages.join('\n'), { cause: first });
    }
    for (const [name, error] of missing) {
      const { code, message } = error;
      log.error({ [role]: name, code }, `${message}; the service runs without it until the next start`);
      onMissing?.(name, error);
    }
  }

  protected override async onClose(): Promise<void> {
    // All are closed at the same time, so that a device that waits for a broker or a program does not delay the others.
    const closings = this.#options.devices.map((device) => device.close());
    const failures = (await Promise.allSettled(closings)).flatMap((closing) =>
      closing.status === 'rejected' ? [closing.reason as unknown] : [],
    );
    if (failures.length > 0) throw new AggregateError(failures, 'devices failed to close');
  }
}

/** A device that counts as open even if it could not be opened. */
class DispensableDevice extends ManagedResource {
  readonly #device: Device;
  readonly #onMissing: (error: TallybookError) => void;

  constructor(device: Device, onMissing: (error: TallybookError) => void) {
    super();
    this.#device = device;
    this.#onMissing = onMissing;
  }

  protected override async onOpen(): Promise<void> {
    try {
      await this.#device.open();
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      this.#onMissing(error);
    }
  }

  protected override async onClose(): Promise<void> {
    await this.#device.close();
  }
}
