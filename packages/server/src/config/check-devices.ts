import { invalidOption, DeviceUrl } from '@tallybook/devices';
import { SystemClock } from '@tallybook/system';
import type { DeviceRegistry, PublisherDependencies } from '@tallybook/devices';
import { Emitter, quote, Timekeeper } from '@tallybook/domain';
import { MemoryJournal } from '@tallybook/store-memory';
import type { Adapters } from './adapters.js';

/** The URLs of all devices. */
export interface DeviceUrls {
  readonly readers: readonly string[];
  readonly indicators: readonly string[];
  readonly publishers: readonly string[];
}

/**
 * Checks the URLs of all devices, each alone and all together: names are unique, the reader of an indicator exists, and
 * no broker takes two devices for one client.
 *
 * @param check Runs a check of the given setting. If the check throws `INVALID_OPTION`, it records that and goes on.
 */
export function checkDevices(
  urls: DeviceUrls,
  adapters: Adapters,
  check: (setting: keyof DeviceUrls, run: () => void) => void,
): void {
  const clients = new BrokerClients();
  /** Checks the devices of one sort, and gives their names. */
  const checkAll = <Device extends { readonly name: string }, Dependencies>(
    setting: keyof DeviceUrls,
    dependencies: Dependencies,
    registry: DeviceRegistry<Device, Dependencies>,
    examine: (device: Device, url: string) => void = () => undefined,
  ): NamedUrls => {
    const names = new NamedUrls(registry);
    for (const url of urls[setting]) {
      check(setting, () => {
        const device = registry.create(url, dependencies);
        names.add(device.name, url);
        clients.add(url, registry);
        examine(device, url);
      });
    }
    return names;
  };
  const clock = new SystemClock();
  const readerNames = checkAll('readers', { clock }, adapters.readers);
  checkAll('indicators', { clock }, adapters.indicators, ({ reader }, url) => {
    if (reader !== undefined) readerNames.require(reader, url);
  });
  checkAll('publishers', unusedDependencies(new Timekeeper(clock)), adapters.publishers);
}

type Registry = Pick<DeviceRegistry<object, never>, 'find'>;

/**
 * The devices behind brokers. To a broker, two devices with one client id are the same client: each new connection ends
 * the other one, again and again.
 */
class BrokerClients {
  readonly #urls = new Map<string, string>();

  /** @throws {TallybookError} `INVALID_OPTION` if its broker would take the device for another added one. */
  add(url: string, registry: Registry): void {
    const found = registry.find(url)?.brokerClient?.(new DeviceUrl(url));
    if (found === undefined) return;
    const twin = this.#urls.get(found.client);
    if (twin !== undefined) {
      throw invalidOption(
        `the broker ${found.broker} would take ${quote(twin)} and ${quote(url)} for one client; give one of them client=…`,
      );
    }
    this.#urls.set(found.client, url);
  }
}

/** Dependencies of publishers that are only checked, never opened. */
function unusedDependencies(timekeeper: Timekeeper): PublisherDependencies {
  const mapping = { get: () => Promise.resolve(undefined) };
  return { journal: new MemoryJournal(), mapping, timekeeper, attendance: { events: new Emitter() } };
}

/** The URLs of devices of one sort, by the names of the devices. */
class NamedUrls {
  readonly #urls = new Map<string, string>();
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** @throws {TallybookError} `INVALID_OPTION` if another device has this name. */
  add(name: string, url: string): void {
    const twin = this.#urls.get(name);
    if (twin !== undefined) {
      throw invalidOption(
        `${quote(twin)} and ${quote(url)} are both named ${quote(name)}; ${this.#renaming(twin, url)}`,
      );
    }
    this.#urls.set(name, url);
  }

  /**
   * @throws {TallybookError} `INVALID_OPTION` if no device has this name. For a device behind a broker, the part before
   * the slash is enough.
   */
  require(name: string, user: string): void {
    const names = [...this.#urls.keys()];
    if (names.some((each) => name === each || name.startsWith(`${each}/`))) return;
    const allowed = names.map(quote).join(', ');
    throw invalidOption(`${quote(user)}: there is no reader ${quote(name)}; allowed are ${allowed}`);
  }

  /** Advice for another name: that of their adapter, if both have the same. */
  #renaming(...urls: readonly string[]): string {
    const [advice, ...others] = new Set(urls.map((url) => this.#registry.find(url)?.naming));
    return others.length === 0 && advice !== undefined ? advice : 'give one of them name=…';
  }
}
