import { isTallybookError, TallybookError } from './errors.js';
import { ManagedResource, type Lifecycle } from './lifecycle.js';

/** A reader, an indicator or a publisher. */
export interface Device extends Lifecycle {
  readonly name: string;
}

export interface DeviceGroupOptions {
  /** Opened in this order. */
  readonly devices: readonly Device[];
  /** Called with each device that could not be opened, while the others are open. */
  readonly onMissing: (device: Device, error: TallybookError) => void;
  /** Whether opening the group fails if no device can be opened. Default: no. */
  readonly needsOne?: boolean;
}

/**
 * Devices on which nothing else depends. A device whose package or program is missing stays closed until the group is opened
 * again; the others are open.
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
    const { devices, onMissing, needsOne = false } = this.#options;
    const missing = new Map<Device, TallybookError>();
    for (const device of devices) {
      try {
        await device.open();
      } catch (error) {
        if (isTallybookError(error)) missing.set(device, error);
        else {
          await Promise.allSettled(devices.map((each) => each.close()));
          throw error;
        }
      }
    }
    const [first] = missing.values();
    if (needsOne && first !== undefined && missing.size === devices.length) {
      const messages = [...missing.values()].map(({ message }) => message);
      throw new TallybookError(first.code, messages.join('\n'), { cause: first });
    }
    for (const [device, error] of missing) onMissing(device, error);
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
