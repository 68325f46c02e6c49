import { isTallybookError, quote, TallybookError } from '@tallybook/domain';
import { DeviceUrl, invalidOption } from './device-url.js';

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const SCHEME_AND_REST = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?.*$/is;
const SCHEME_AND_USER = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?.*@/is;

/** One kind of device, by the scheme of its URL. */
export interface DeviceKind<Device, Dependencies> {
  /** Form of its URL, for help texts. */
  readonly usage: string;
  /**
   * Advice where to put a user and a password, such as `put them into a file: credentials=FILE`. It is part of the
   * message that refuses them in a URL. Default: none.
   */
  readonly login?: string | undefined;
  /** Makes the device that the URL names, without opening it. Throws `INVALID_OPTION` if the URL is wrong. */
  readonly create: (url: DeviceUrl, dependencies: Dependencies) => Device;
}

/** Makes devices of one sort, such as readers, from their URLs. */
export class DeviceRegistry<Device, Dependencies> {
  /** Form of the URL of each kind, by scheme. */
  readonly usages: Readonly<Record<string, string>>;
  readonly #sort: string;
  readonly #kinds: ReadonlyMap<string, DeviceKind<Device, Dependencies>>;

  /** @param sort Name of the devices in messages, such as "reader". */
  constructor(sort: string, kinds: Readonly<Record<string, DeviceKind<Device, Dependencies>>>) {
    this.#sort = sort;
    this.#kinds = new Map(Object.entries(kinds));
    this.usages = Object.freeze(
      Object.fromEntries(Object.entries(kinds).map(([scheme, { usage }]) => [scheme, usage])),
    );
  }

  /**
   * Makes the device of a URL. It is not opened.
   *
   * @throws {TallybookError} `INVALID_OPTION` if the URL names no such device. The message says what is allowed. If a
   * parameter is wrong, `details.parameter` names it.
   */
  create(url: string, dependencies: Dependencies): Device {
    try {
      const parsed = new DeviceUrl(url, this.#kinds.get(schemeOf(url))?.login);
      const kind = this.#kinds.get(parsed.scheme);
      if (kind === undefined) {
        const allowed = [...this.#kinds.keys()].join(', ');
        throw invalidOption(`the scheme ${quote(parsed.scheme)} is unknown; allowed are ${allowed}`);
      }
      const device = kind.create(parsed, dependencies);
      parsed.refuseOthers();
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
