// Makes the archive that runs where it is unpacked.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages/packing.mjs';
import { names } from './names.mjs';
import { makeTar, settle } from './reproducible.mjs';

const PROGRAMS = ['bin/tallybook', 'lib/tallybook/node', 'lib/tallybook/bin/tallybook.cjs'];

/** @returns The name of the made file. */
export function makeArchive({ cpu, program, version, time, compression, out, scratch }) {
  const name = `tallybook-${version}-linux-${cpu}`;
  const parent = join(scratch, 'archives');
  const folder = join(parent, name);
  cpSync(program, join(folder, 'lib/tallybook'), { recursive: true, verbatimSymlinks: true });
  mkdirSync(join(folder, 'bin'));
  cpSync(join(root, 'packaging/archive/tallybook.sh'), join(folder, 'bin/tallybook'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const readme = readFileSync(join(root, 'packaging/archive/README.md'), 'utf8');
  writeFileSync(join(folder, 'README.md'), readme.replace('HOMEPAGE', names().homepage));
  settle(folder, PROGRAMS, time);
  const compress = `xz -${compression} -T1`;
  makeTar(join(out, `${name}.tar.xz`), { parent, name, compress, time });
  return `${name}.tar.xz`;
}
