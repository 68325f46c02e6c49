import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/** The address that a request came from, as far as it is known. */
export type ClientAddressOf = (request: IncomingMessage) => string | undefined;

/**
 * Who is behind an address, for counting; `undefined` if that is this machine, which is not counted.
 *
 * In a network of IPv6, which is 64 bits, one machine may have as many addresses as it likes. All link-local addresses look
 * like one network, so they stay apart.
 */
export function clientNetworkOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  if (plain === '::1' || (plain.startsWith('127.') && isIPv4(plain))) return undefined;
  if (!plain.includes(':') || plain.startsWith('fe80:') || !isIPv6(plain)) return plain;
  const [before = [], after = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** The address of the other side of a connection. */
export const peerAddressOf: ClientAddressOf = ({ socket }) => socket.remoteAddress;
