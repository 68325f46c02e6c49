import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/** The address of the sender of a request; `undefined` if it is unknown. */
export type ClientAddressOf = (request: IncomingMessage) => string | undefined;

/**
 * The client of an address, for counting; `undefined` for this machine, which is not counted.
 *
 * Each link-local address is a client: as one client, they would take places from each other.
 */
export function clientNetworkOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const plain = plainAddress(address);
  if (plain === '::1' || (plain.startsWith('127.') && isIPv4(plain))) return undefined;
  return plain.startsWith('fe80:') ? plain : networkOf(plain);
}

/**
 * The network of an address: an IPv4 address, or the first half of an IPv6 address. Clients choose the other half
 * themselves. So all link-local addresses are one network: an attacker may use any number of them.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [before = [], after = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const half = [...before, ...zeros, ...after].slice(0, 4);
  return half.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase()).join(':');
}

/** An IPv4 address without the prefix `::ffff:`, which a socket for both families adds. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The address of the other side of a connection. */
export const peerAddressOf: ClientAddressOf = ({ socket }) => socket.remoteAddress;
