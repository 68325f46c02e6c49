import { hostname, networkInterfaces } from 'node:os';

const EVERYWHERE = /^(?:0\.0\.0\.0|::|\*)$/;

/**
 * What to type into a browser to see the page, from this machine or another one.
 *
 * @param url Where the server listens.
 * @param host What it was told to listen on. If that is every address, these are the ones of this machine, by which
 * others reach it, and its name where the network makes names known (mDNS).
 */
export function pageAddresses(
  url: string,
  host: string,
  machine: { readonly interfaces: typeof networkInterfaces; readonly name: string } = {
    interfaces: networkInterfaces,
    name: hostname(),
  },
): readonly string[] {
  if (!EVERYWHERE.test(host)) return [`${url}/`];
  const all = Object.values(machine.interfaces()).flatMap((addresses) => addresses ?? []);
  const outside = all.filter(({ internal, family }) => !internal && family === 'IPv4');
  const name = machine.name.replace(/\..*$/, '');
  const hosts = [...outside.map(({ address }) => address), `${name}.local`];
  const { protocol, port } = new URL(url);
  const usual = protocol === 'https:' ? '443' : '80';
  return hosts.map((each) => `${protocol}//${each}:${port || usual}/`);
}
