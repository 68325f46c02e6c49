import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../packages/packing.mjs';

const kept = join(root, 'node_modules/.tallybook-release');

/**
 * Unpacks a package of the registry that the checkout does not install, because it is for another processor. It is kept for
 * the next release.
 *
 * @param integrity What `packaging/node.json` has for it.
 * @returns The folder of the package.
 */
export function unpackFetched(name, version, integrity, scratch) {
  const file = join(kept, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  mkdirSync(kept, { recursive: true });
  if (!existsSync(file))
    run('npm', ['pack', '--silent', '--pack-destination', kept, `${name}@${version}`], root);
  const actual = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (actual !== integrity) {
    rmSync(file);
    throw new Error(`${name} ${version} has the checksum ${actual} instead of ${integrity}`);
  }
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  run('tar', ['-xzf', file, '-C', folder, '--strip-components=1', '--no-same-owner'], root);
  return folder;
}
