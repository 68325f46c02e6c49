// Puts together what runs on a device: Node, the built program, and the packages that are not inside the program.
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readManifest, root } from '../packages/packing.mjs';

const server = join(root, 'packages/server');
/** What `tools/bundle.mjs` leaves out of the program. */
const OUTSIDE = ['classic-level', 'mqtt', 'pcsc-mini', 'pg', 'serialport'];
/** What nobody needs at run time. It is most of the size of these packages. */
const LEFT_OUT = /(?:(?:^|\/)\.\w+|\.map|\.d\.[cm]?ts|\.tsbuildinfo|\.md|\.gyp|\.cc|\.h|\.cpp)$/i;
const SOURCES = new Set(['deps', 'src', 'test', 'tests', 'docs', 'binding.gyp']);
const PCSC = { x64: '@pcsc-mini/linux-x86_64-gnu', arm64: '@pcsc-mini/linux-aarch64-gnu' };

/**
 * @param folder A new folder.
 * @param cpu `x64` or `arm64`.
 * @param node A folder with `bin/node` and `LICENSE`, for this processor.
 */
export function makeProgramFolder(folder, { cpu, node }) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(node, 'bin/node'), join(folder, 'node'));
  cpSync(join(node, 'LICENSE'), join(folder, 'LICENSE.node'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(server, 'bin'), join(folder, 'bin'), { recursive: true });
  // Under this name the program knows what people type to call it.
  symlinkSync('tallybook.cjs', join(folder, 'bin/tallybook'));
  cpSync(join(server, 'program'), join(folder, 'program'), {
    recursive: true,
    filter: (file) => file !== join(server, 'program/compiled'),
  });
  const { version } = readManifest(server);
  writeFileSync(
    join(folder, 'package.json'),
    `{ "name": "tallybook", "version": "${version}", "private": true }\n`,
  );
  const modules = join(folder, 'node_modules');
  for (const name of OUTSIDE) copyPackage(modules, name, server, cpu);
  const page = join(modules, '@tallybook/web');
  cpSync(join(root, 'packages/web/package.json'), join(page, 'package.json'));
  cpSync(join(root, 'packages/web/dist'), join(page, 'dist'), {
    recursive: true,
    filter: (file) => file !== join(root, 'packages/web/dist/types'),
  });
  copyCardReader(modules, cpu);
}

/** Copies a package and what it needs, each once; a second version goes below the package that needs it. */
function copyPackage(modules, name, from, cpu, parents = [modules]) {
  const source = find(name, from);
  if (source === undefined) return false;
  const { version, dependencies, optionalDependencies } = readManifest(source);
  const present = parents.find((each) => existsSync(join(each, name)));
  if (present !== undefined && readManifest(join(present, name)).version === version) return true;
  const place = present === undefined ? modules : parents[0];
  const target = join(place, name);
  cpSync(source, target, {
    recursive: true,
    filter: (file) => isNeeded(file.slice(source.length + 1), name, cpu),
  });
  const below = [join(target, 'node_modules'), ...parents];
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (each.startsWith('@pcsc-mini/') || each.startsWith('@types/')) continue;
    const isThere = copyPackage(modules, each, source, cpu, below);
    if (!isThere && !(each in (optionalDependencies ?? {})))
      throw new Error(`${name} needs ${each}, which is not installed`);
  }
  return true;
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
  if (first === 'prebuilds') {
    return second === undefined || (second === `linux-${cpu}` && !path.endsWith('musl.node'));
  }
  // The compiled sources of native parts.
  const isNative = name === 'classic-level' || name === '@serialport/bindings-cpp';
  return !(isNative && SOURCES.has(first));
}

/** pcsc-mini has its native part in a package for each processor. For arm64 the registry has none. */
function copyCardReader(modules, cpu) {
  const name = PCSC[cpu];
  const source = find(name, find('pcsc-mini', server));
  if (source !== undefined) return cpSync(source, join(modules, name), { recursive: true });
  rmSync(join(modules, 'pcsc-mini'), { recursive: true });
  console.warn(`${cpu}: without PC/SC readers, because ${name} is not installed`);
}
