import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { quote, TallybookError } from '@tallybook/domain';

/** A name, or an address in brackets, with an optional port. */
const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::[0-9]*)?$/;
const HOST_NAME = /^(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i;

/**
 * Checks a host name from the settings.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is not a host name, for example because of a scheme or a port.
 */
export function checkHostName(name: string): void {
  if (HOST_NAME.test(name)) return;
  throw new TallybookError(
    'INVALID_OPTION',
    `a host name such as taps.example.org, without scheme and port; got ${quote(name)}`,
  );
}

/**
 * The names under which a service answers.
 *
 * The owner of any page can make its host name point at a device in somebody's home. The browser then lets the page read the
 * answers of the device. Such a page needs a name in public DNS, so addresses and local names are safe.
 */
export class AllowedHosts {
  readonly #names: ReadonlySet<string>;
  /** The last allowed host: nearly all requests have the same. */
  #latest: string | undefined;

  /** @throws {TallybookError} `INVALID_OPTION` as {@link checkHostName}. */
  constructor(names: readonly string[]) {
    names.forEach(checkHostName);
    this.#names = new Set(['localhost', hostname(), ...names].map(toPlainName));
  }

  /** @param host The value of the field `Host`, or the authority of a URL. */
  allows(host: string): boolean {
    if (host === this.#latest) return true;
    const [, address, name] = HOST.exec(host) ?? [];
    const isAllowed = address === undefined ? this.#isOurs(name ?? '') : isIP(address) === 6;
    if (isAllowed) this.#latest = host;
    return isAllowed;
  }

  #isOurs(name: string): boolean {
    const plain = toPlainName(name);
    return isIP(plain) === 4 || this.#names.has(plain) || /.\.local(?:host)?$/.test(plain);
  }
}

function toPlainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
