import { createRequire } from 'node:module';
import { hostname, networkInterfaces } from 'node:os';
import { readPage, type Page } from '@tallybook/http-koa';

/**
 * The page of `@tallybook/web`; `undefined` if that is not installed or not built.
 *
 * @param from The file whose installed packages are searched. Default: this file.
 */
export async function loadPage(from: string | URL = import.meta.url): Promise<Page | undefined> {
  const manifest = findManifest(from);
  return manifest === undefined ? undefined : readPage(manifest);
}

/** Whether `@tallybook/web` is installed and built. */
export function hasPage(from: string | URL = import.meta.url): boolean {
  return findManifest(from) !== undefined;
}

function findManifest(from: string | URL): string | undefined {
  try {
    return createRequire(from).resolve('@tallybook/web/files.json');
  } catch {
    return undefined;
  }
}

const EVERYWHERE = /^(?:0\.0\.0\.0|::|\*)$/;

/** Settings that decide the addresses of the page. */
export interface PagePlace {
  /**
   * The address on which the server listens. If that means every address, the page is at all addresses of this machine,
   * and at its name if the network resolves it (mDNS).
   */
  readonly host: string;
  readonly publicUrl?: string | undefined;
  /**
   * Names of the service. If the service has its own certificate, these names come first, because certificates are
   * rarely for addresses.
   */
  readonly allowedHosts?: readonly string[];
}

/**
 * Addresses of the page for a browser on this machine or another one; the best first.
 *
 * @param url The address on which the server listens.
 */
export function pageAddresses(
  url: string,
  { host, publicUrl, allowedHosts = [] }: PagePlace,
  machine: { readonly interfaces: typeof networkInterfaces; readonly name: string } = {
    interfaces: networkInterfaces,
    name: hostname(),
  },
): readonly string[] {
  const { protocol, port } = new URL(url);
  const at = (name: string): string =>
    `${protocol}//${name}:${port || (protocol === 'https:' ? '443' : '80')}/`;
  const named = protocol === 'https:' ? allowedHosts.map(at) : [];
  const told = [...(publicUrl === undefined ? [] : [publicUrl]), ...named];
  if (!EVERYWHERE.test(host)) return distinct([...told, `${url}/`]);
  const all = Object.values(machine.interfaces()).flatMap((addresses) => addresses ?? []);
  const outside = all.filter(({ internal, family }) => !internal && family === 'IPv4');
  const name = machine.name.replace(/\..*$/, '');
  const hosts = [...outside.map(({ address }) => address), `${name}.local`];
  return distinct([...told, ...hosts.map(at)]);
}

/** Each address once, in its first form. With or without the usual port and the last slash, it is the same address. */
function distinct(addresses: readonly string[]): readonly string[] {
  const byAddress = new Map<string, string>();
  for (const address of addresses) {
    // The name of a machine may be any text, so the address may be no URL.
    const href = URL.canParse(address) ? new URL(address).href : address;
    if (!byAddress.has(href)) byAddress.set(href, address);
  }
  return [...byAddress.values()];
}
