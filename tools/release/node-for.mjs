// The Node that is published with the program.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages/packing.mjs';
import { unpackFetched } from './fetched-package.mjs';

/** What the header of an ELF program has for its processor. */
const MACHINES = { x64: 62, arm64: 183 };

/**
 * @param downloads The folder of `--node`, with `node-vVERSION-linux-CPU` in it, as unpacked from a download of the
 *   publisher of Node. Default: the package of the registry in `packaging/node.json`.
 * @returns Its folder, with `bin/node` and `LICENSE`, and its version.
 */
export function nodeFor(cpu, { downloads, scratch }) {
  const folder = downloads === undefined ? fetched(cpu, scratch) : downloaded(cpu, downloads);
  if (machineOf(join(folder, 'bin/node')) !== MACHINES[cpu])
    throw new Error(`${folder}/bin/node is not for ${cpu}`);
  const header = readFileSync(join(folder, 'include/node/node_version.h'), 'utf8');
  const numbers = ['MAJOR', 'MINOR', 'PATCH'].map(
    (each) => new RegExp(`#define NODE_${each}_VERSION (\\d+)`).exec(header)[1],
  );
  return { folder, version: numbers.join('.') };
}

function fetched(cpu, scratch) {
  const all = JSON.parse(readFileSync(join(root, 'packaging/node.json'), 'utf8'));
  const { package: name, version, integrity } = all[cpu];
  return unpackFetched(name, version, integrity, join(scratch, `fetched-${cpu}`));
}

function downloaded(cpu, downloads) {
  const name = new RegExp(`^node-v\\d+\\.\\d+\\.\\d+-linux-${cpu}$`);
  const found = readdirSync(downloads).filter((each) => name.test(each));
  if (found.length === 1 && existsSync(join(downloads, found[0], 'bin/node')))
    return join(downloads, found[0]);
  throw new Error(`${downloads} must have one folder node-vVERSION-linux-${cpu} with bin/node in it`);
}

function machineOf(program) {
  const bytes = Buffer.alloc(20);
  const file = openSync(program);
  readSync(file, bytes);
  closeSync(file);
  return bytes.readUInt16LE(18);
}
