// Makes the package `tallybook` for npm: the built program and the page. npm installs only the packages with native parts,
// which it chooses for the processor. The libraries are packed beside it, as they would be published.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packAll, readManifest, root, run } from '../packages/packing.mjs';
import { copyProgram, NATIVE } from './program-folder.mjs';
import { makeTar, settle } from './reproducible.mjs';

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** @returns The name of the made file. */
export function makeProgramPackage({ version, time, out, scratch }) {
  const parent = join(scratch, 'npm');
  const folder = join(parent, 'package');
  copyProgram(folder);
  cpSync(join(root, 'packaging/npm/README.md'), join(folder, 'README.md'));
  writeManifest(folder, manifest(version));
  settle(folder, ['bin/tallybook.cjs'], time);
  const name = `tallybook-${version}.tgz`;
  makeTar(join(out, name), { parent, name: 'package', compress: 'gzip -9n', time });
  return name;
}

function manifest(version) {
  const server = readManifest(join(root, 'packages/server'));
  const { repository } = readManifest(root);
  const { license, engines, keywords, dependencies, optionalDependencies } = server;
  const wanted = { ...dependencies, ...optionalDependencies };
  const versions = (names) => Object.fromEntries(names.map((each) => [each, wanted[each]]));
  return {
    name: 'tallybook',
    version,
    description: 'Attendance service for small devices: tap a tag, have it recorded durably, see it live',
    ...{ license, repository, homepage: `${repository.url.replace(/^git\+|\.git$/g, '')}#readme` },
    ...{ engines, keywords },
    bin: { tallybook: 'bin/tallybook.cjs' },
    dependencies: { ...versions(['classic-level']), '@tallybook/web': version },
    optionalDependencies: versions(NATIVE.filter((each) => each !== 'classic-level')),
    bundleDependencies: ['@tallybook/web'],
  };
}

/** @returns The paths of the made files in `out`. */
export function packLibraries({ time, out, scratch }) {
  mkdirSync(join(out, 'npm'), { recursive: true });
  const packed = join(scratch, 'packed');
  mkdirSync(packed);
  return [...packAll(packed).values()].map((tarball) => {
    const file = join('npm', basename(tarball));
    packAgain(tarball, { file: join(out, file), parent: join(packed, basename(tarball, '.tgz')), time });
    return file;
  });
}

/** The package manager writes dependencies in any order, and its compressor gives other bytes each time. */
function packAgain(tarball, { file, parent, time }) {
  mkdirSync(parent);
  run('tar', ['-xzf', tarball, '-C', parent, '--no-same-owner'], parent);
  const folder = join(parent, 'package');
  const content = readManifest(folder);
  for (const field of DEPENDENCIES) {
    if (content[field] === undefined) continue;
    content[field] = Object.fromEntries(Object.entries(content[field]).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  writeManifest(folder, content);
  settle(folder, Object.values(content.bin ?? {}), time);
  makeTar(file, { parent, name: 'package', compress: 'gzip -9n', time });
}

function writeManifest(folder, content) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, undefined, 2)}\n`);
}
