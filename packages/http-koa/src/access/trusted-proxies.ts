import { BlockList, isIP } from 'node:net';
import { quote, TallybookError } from '@tallybook/domain';
import { plainAddress } from '../requests/client-network.js';

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
