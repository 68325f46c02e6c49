import { isIPv4 } from 'node:net';

/** Whether an address to listen on can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  return host === '::1' || host.toLowerCase() === 'localhost' || (isIPv4(host) && host.startsWith('127.'));
}
