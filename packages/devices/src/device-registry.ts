import { isTallybookError, quote, TallybookError } from '@tallybook/domain';
import { DeviceUrl, invalidOption } from './device-url.js';
import type { DeviceRegistration } from './registration.js';

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const SCHEME_AND_REST = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?.*$/is;
const SCHEME_AND_USER = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?.*@/is;

type AnyRegistration<Device extends object, Dependencies> = Pick<
  DeviceRegistration<string, Device, Dependencies>,
  'scheme' | 'usage' | 'login' | 'naming' | 'brokerClient' | 'make' | 'health'
>;

/** Makes devices of one sort, such as readers, from their URLs. */
export class DeviceRegistry<Device extends object, Dependencies> {
  /** Form of the URL of each kind, by scheme. */
  readonly usages: Readonly<Record<string, string>>;
  readonly #sort: string;
  readonly #kinds: ReadonlyMap<string, AnyRegistration<Device, Dependencies>>;

  readonly #makers = new WeakMap<Device, AnyRegistration<Device, Dependencies>>();

  /** @param sort Name of the devices in messages, such as "reader". */
  constructor(sort: string, kinds: readonly AnyRegistration<Device, Dependencies>[]) {
    this.#sort = sort;
    this.#kinds = new Map(kinds.map((kind) => [kind.scheme, kind]));
    this.usages = Object.freeze(Object.fromEntries(kinds.map(({ scheme, usage }) => [scheme, usage])));
  }

  /** The registration that makes the device of a URL; `undefined` if the scheme is unknown. */
  find(url: string): AnyRegistration<Device, Dependencies> | undefined {
    return this.#kinds.get(schemeOf(url));
  }

  /** The registration that made a device; `undefined` for one of a device app. */
  makerOf(device: Device): AnyRegistration<Device, Dependencies> | undefined {
    return this.#makers.get(device);
  }

  /**
   * Makes the device of a URL. It is not opened.
   *
   * @throws {TallybookError} `INVALID_OPTION` if the URL names no such device. The message says what is allowed. If a
   * parameter is wrong, `details.parameter` names it.
   */
  create(url: string, dependencies: Dependencies): Device {
    try {
      const parsed = new DeviceUrl(url, this.find(url)?.login);
      const kind = this.#kinds.get(parsed.scheme);
      if (kind === undefined) {
        const allowed = [...this.#kinds.keys()].join(', ');
        throw invalidOption(`the scheme ${quote(parsed.scheme)} is unknown; allowed are ${allowed}`);
      }
      const device = kind.make(parsed, dependencies);
      parsed.refuseOthers();
      this.#makers.set(device, kind);
      return device;
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      const { code, message, details } = error;
      throw new TallybookError(code, `the ${this.#sort} ${quote(withoutSecrets(url))}: ${message}`, {
        cause: error,
        details,
      });
    }
  }
}

/** The scheme of a text that may not be a URL; empty if it has none. */
function schemeOf(url: string): string {
  return SCHEME.exec(url)?.[1]?.toLowerCase() ?? '';
}

/** Leaves out the parts of a URL that may hold a password: before an @, or in a parameter. Errors are logged. */
function withoutSecrets(url: string): string {
  // After a ?, an @ may end a password before the host, or be part of a password in a parameter.
  if (/\?.*@/s.test(url)) return url.replace(SCHEME_AND_REST, '$1…');
  return url
    .replace(SCHEME_AND_USER, '$1…@')
    .replace(/\?.*$/s, (parameters) => parameters.replaceAll(/=[^&]*/g, '=…'));
}
