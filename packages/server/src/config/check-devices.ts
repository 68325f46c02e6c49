import { invalidOption } from '@tallybook/devices';
import { SystemClock } from '@tallybook/system';
import type { PublisherDependencies } from '@tallybook/devices';
import { Emitter, quote, Timekeeper } from '@tallybook/domain';
import { createIndicator, createPublisher } from '@tallybook/outputs';
import { createReader } from '@tallybook/readers';
import { MemoryJournal } from '@tallybook/store-memory';
import { BrokerClients } from './broker-clients.js';

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
  check: (setting: keyof DeviceUrls, run: () => void) => void,
): void {
  const clock = new SystemClock();
  const clients = new BrokerClients();
  const readers = new NamedUrls();
  for (const url of urls.readers) {
    check('readers', () => {
      readers.add(createReader(url, { clock }).name, url);
      clients.add(url, true);
    });
  }
  const indicators = new NamedUrls();
  for (const url of urls.indicators) {
    check('indicators', () => {
      const { name, reader } = createIndicator(url, { clock });
      indicators.add(name, url);
      clients.add(url, false);
      if (reader !== undefined) readers.require(reader, url);
    });
  }
  const publishers = new NamedUrls();
  const nobody = unusedDependencies(new Timekeeper(clock));
  for (const url of urls.publishers) {
    check('publishers', () => {
      publishers.add(createPublisher(url, nobody).name, url);
      clients.add(url, false);
    });
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

  /** @throws {TallybookError} `INVALID_OPTION` if another device has this name. */
  add(name: string, url: string): void {
    const twin = this.#urls.get(name);
    if (twin !== undefined) {
      throw invalidOption(
        `${quote(twin)} and ${quote(url)} are both named ${quote(name)}; ${renaming(twin, url)}`,
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
}

/** Advice for another name. A reader over HTTP has its name in the path, and no parameter for it. */
function renaming(...urls: readonly string[]): string {
  return urls.every((url) => /^http:(?!\/)/i.test(url))
    ? 'write another name after one http:'
    : 'give one of them name=…';
}
