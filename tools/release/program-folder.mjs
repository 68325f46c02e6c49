// Puts together what runs on a device: Node, the built program, and the packages that are not inside the program.
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readManifest, root } from '../packages/packing.mjs';

const server = join(root, 'packages/server');
/** The packages with native parts, which `tools/bundle.mjs` leaves out of the program. */
export const NATIVE = ['classic-level', '@serialport/bindings-cpp', 'pcsc-mini'];
/** The packages that these need at run time. The JavaScript of classic-level is in the program. */
const NEEDED = {
  'classic-level': ['node-gyp-build'],
  '@serialport/bindings-cpp': [
    ...['@serialport/bindings-interface', '@serialport/parser-readline'],
    ...['debug', 'node-gyp-build'],
  ],
  'pcsc-mini': [],
};
/** The files that these need at run time. */
const FILES = {
  'classic-level': ['binding.js', 'prebuilds'],
  '@serialport/bindings-cpp': ['dist', 'prebuilds'],
  'node-gyp-build': ['index.js', 'node-gyp-build.js'],
};
/** What no package needs at run time. */
const LEFT_OUT = /(?:(?:^|\/)\.\w+|\.map|\.d\.[cm]?ts|\.tsbuildinfo|\.md)$/i;
const PCSC = { x64: '@pcsc-mini/linux-x86_64-gnu', arm64: '@pcsc-mini/linux-aarch64-gnu' };

/**
 * @param folder A new folder.
 * @param cpu `x64` or `arm64`.
 * @param node A folder with `bin/node` and `LICENSE`, for this processor.
 */
export function makeProgramFolder(folder, { cpu, node }) {
  copyProgram(folder);
  cpSync(join(node, 'bin/node'), join(folder, 'node'));
  cpSync(join(node, 'LICENSE'), join(folder, 'LICENSE.node'));
  // Under this name the program knows what people type to call it.
  symlinkSync('tallybook.cjs', join(folder, 'bin/tallybook'));
  const { version } = readManifest(server);
  writeFileSync(
    join(folder, 'package.json'),
    `{ "name": "tallybook", "version": "${version}", "private": true }\n`,
  );
  const modules = join(folder, 'node_modules');
  for (const name of NATIVE) copyPackage(modules, name, server, cpu);
  copyCardReader(modules, cpu);
}

/** Copies the built program and the page. */
export function copyProgram(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(server, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(server, 'program'), join(folder, 'program'), {
    recursive: true,
    filter: (file) => file !== join(server, 'program/compiled'),
  });
  const web = join(root, 'packages/web');
  const page = join(folder, 'node_modules/@tallybook/web');
  const { name, version, license, exports } = readManifest(web);
  mkdirSync(page, { recursive: true });
  writeFileSync(join(page, 'package.json'), `${JSON.stringify({ name, version, license, exports })}\n`);
  cpSync(join(web, 'dist'), join(page, 'dist'), {
    recursive: true,
    filter: (file) => file !== join(web, 'dist/types'),
  });
}

/** Copies a package and what it needs, each once; a second version goes below the package that needs it. */
function copyPackage(modules, name, from, cpu, parents = [modules]) {
  const source = find(name, from);
  if (source === undefined) throw new Error(`${from} needs ${name}, which is not installed`);
  const { version, dependencies = {} } = readManifest(source);
  const present = parents.find((each) => existsSync(join(each, name)));
  if (present !== undefined && readManifest(join(present, name)).version === version) return;
  const target = join(present === undefined ? modules : parents[0], name);
  cpSync(source, target, {
    recursive: true,
    filter: (file) => isNeeded(file.slice(source.length + 1), name, cpu),
  });
  const below = [join(target, 'node_modules'), ...parents];
  for (const each of NEEDED[name] ?? Object.keys(dependencies))
    copyPackage(modules, each, source, cpu, below);
}

/** The folder that Node would find. */
function find(name, from) {
  for (let folder = realpathSync(from); ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(found)) return realpathSync(found);
    // pnpm: the neighbours of a package are what it may require.
    if (folder.endsWith(`${sep}node_modules`) && existsSync(join(folder, name)))
      return realpathSync(join(folder, name));
    if (folder === dirname(folder)) return undefined;
  }
}

function isNeeded(path, name, cpu) {
  if (path === '') return true;
  const [first, second] = path.split(sep);
  if (first === 'node_modules' || LEFT_OUT.test(path)) return false;
  if (first === 'prebuilds' && second !== undefined)
    return second === `linux-${cpu}` && !path.endsWith('musl.node');
  return !(name in FILES) || [...FILES[name], 'package.json', 'LICENSE'].includes(first);
}

/** pcsc-mini has its native part in a package for each processor. For arm64 the registry has none. */
function copyCardReader(modules, cpu) {
  const name = PCSC[cpu];
  const source = find(name, find('pcsc-mini', server));
  if (source !== undefined) return cpSync(source, join(modules, name), { recursive: true });
  rmSync(join(modules, 'pcsc-mini'), { recursive: true });
  console.warn(`${cpu}: without PC/SC readers, because ${name} is not installed`);
}
