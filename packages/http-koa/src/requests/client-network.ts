import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/** The address that a request came from, as far as it is known. */
export type ClientAddressOf = (request: IncomingMessage) => string | undefined;

/**
 * The client behind an address, for counting; `undefined` for this machine, which is not counted.
 *
 * Link-local addresses stay apart: as one client they would take the places of each other.
 */
export function clientNetworkOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const plain = plainAddress(address);
  if (plain === '::1' || (plain.startsWith('127.') && isIPv4(plain))) return undefined;
  return plain.startsWith('fe80:') ? plain : networkOf(plain);
}

/**
 * The network of an address: of IPv6 the first half, because the other half is everybody's own to choose. So all link-local addresses
 * are one: an attacker has as many of them as it takes.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [before = [], after = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const half = [...before, ...zeros, ...after].slice(0, 4);
  return half.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase()).join(':');
}

/** An IPv4 address without the form that a socket of both families gives it. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The address of the other side of a connection. */
export const peerAddressOf: ClientAddressOf = ({ socket }) => socket.remoteAddress;
