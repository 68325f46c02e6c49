import { BlockList, isIP } from 'node:net';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { quote, TallybookError } from '@tallybook/domain';
import type { PasskeyPlace, Transport } from '@tallybook/domain/access';
import { networkOf, plainAddress } from '../requests/client-network.js';
import type { HttpAccessOptions } from './access-options.js';

/** The addresses of trusted proxies. */
export class TrustedProxies {
  readonly #addresses = new BlockList();
  readonly #isEmpty: boolean;
  /** The result for the last address. Behind a proxy, the address is always the same. */
  #latest: { readonly address: string; readonly isTrusted: boolean } | undefined;

  /** @throws {TallybookError} `INVALID_OPTION` if an entry is neither an address nor a network. */
  constructor(networks: readonly string[]) {
    this.#isEmpty = networks.length === 0;
    for (const network of networks) this.#add(network);
  }

  trusts(address: string | undefined): boolean {
    if (this.#isEmpty || address === undefined) return false;
    if (this.#latest?.address === address) return this.#latest.isTrusted;
    const plain = plainAddress(address);
    const family = isIP(plain);
    const isTrusted = family !== 0 && this.#addresses.check(plain, family === 6 ? 'ipv6' : 'ipv4');
    this.#latest = { address, isTrusted };
    return isTrusted;
  }

  #add(network: string): void {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : Number(bits);
    if (family === 0 || prefix > most) {
      throw new TallybookError(
        'INVALID_OPTION',
        `a proxy is an address or a network such as 10.0.0.7, 10.0.0.0/8 or fd00::/8; got ${quote(network)}`,
      );
    }
    this.#addresses.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Finds the address, host and transport of requests, even behind trusted proxies. */
export class Connections {
  readonly #proxies: TrustedProxies;
  readonly #reportMisfit: HttpAccessOptions['reportMisfit'];

  /** @throws {TallybookError} `INVALID_OPTION` as {@link TrustedProxies}. */
  constructor(trustedProxies: readonly string[], reportMisfit?: HttpAccessOptions['reportMisfit']) {
    this.#proxies = new TrustedProxies(trustedProxies);
    this.#reportMisfit = reportMisfit;
  }

  isProxied(request: IncomingMessage): boolean {
    return this.#proxies.trusts(request.socket.remoteAddress);
  }

  transportOf(request: IncomingMessage): Transport {
    if ((request.socket as Partial<TLSSocket>).encrypted === true) return 'https';
    const proto = this.#forwarded(request, 'x-forwarded-proto')?.toLowerCase() ?? 'http';
    if (proto !== 'https' && proto !== 'http') this.#reportMisfit?.('x-forwarded-proto', 'http or https');
    return proto === 'https' ? 'https' : 'http';
  }

  /** The host and port that the client asked for. */
  hostOf(request: IncomingMessage): string | undefined {
    return this.#forwarded(request, 'x-forwarded-host') ?? request.headers.host;
  }

  /**
   * The network of a client, for counting: an IPv4 address, or the first half of an IPv6 address. Clients choose the other half
   * themselves.
   */
  networkOf(request: IncomingMessage): string {
    return networkOf(this.addressOf(request));
  }

  /**
   * The address of the client: the last address of the list that is not a trusted proxy. The client may have forged the
   * addresses before it.
   */
  addressOf(request: IncomingMessage): string {
    const peer = request.socket.remoteAddress ?? 'local';
    if (!this.#proxies.trusts(peer)) return peer;
    const list = listOf(request.headers['x-forwarded-for']);
    for (const element of list.reverse()) {
      const address = withoutPort(element);
      if (isIP(address) === 0) {
        this.#reportMisfit?.(
          'x-forwarded-for',
          'addresses such as 192.0.2.1, 192.0.2.1:443 or [2001:db8::1]:443',
        );
        return peer;
      }
      if (!this.#proxies.trusts(address)) return address;
    }
    return peer;
  }

  /** The value that the nearest proxy wrote into a header. */
  #forwarded(request: IncomingMessage, name: string): string | undefined {
    const value = request.headers[name];
    return value !== undefined && this.isProxied(request) ? listOf(value).at(-1) : undefined;
  }
}

/** An address of `X-Forwarded-For`. Some proxies add the port. */
function withoutPort(element: string): string {
  return element.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
}

/** The text of a header. Proxies send UTF-8, and Node reads latin1. */
export function headerText(value: string | string[] | undefined): string {
  const text = String(value ?? '').trim();
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : text;
}

/** @param separator Default: a comma. */
export function listOf(value: string | string[] | undefined, separator = ','): string[] {
  return String(value ?? '')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * The place of the page that sent a request, if browsers allow passkeys there: under https with a name instead of an IP
 * address, or under `localhost`. The name is one of this service, or the request would have been refused.
 *
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function passkeyPlaceOf(request: IncomingMessage, connections: Connections): PasskeyPlace | undefined {
  const transport = connections.transportOf(request);
  const url = urlOf(`${transport}://${connections.hostOf(request) ?? ''}`);
  if (url === undefined || url.hostname.startsWith('[') || isIP(url.hostname) !== 0) return undefined;
  if (transport === 'http' && url.hostname !== 'localhost') return undefined;
  return { origin: url.origin, host: url.hostname };
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
