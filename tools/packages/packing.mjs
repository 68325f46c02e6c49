// Packs the packages as for publishing, and installs the tarballs with npm, as people do.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of the published packages. */
export function publicFolders() {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')) && readManifest(folder).private !== true);
}

/** Whether a package can be imported. A package of files, such as the page, cannot. */
export function isLibrary(folder) {
  return readManifest(folder).exports['.'] !== undefined;
}

/** What people import from a package: `.` and its other entrances, such as `./record`. */
export function entrancesOf(folder) {
  return Object.keys(readManifest(folder).exports).filter((each) => each !== './package.json');
}

/**
 * Packs packages in their built state.
 *
 * @param destination An existing folder.
 * @param folders Default: those of every public package.
 * @returns The tarballs by the names of the packages.
 */
export function packAll(destination, folders = publicFolders()) {
  const { packageManager } = readManifest(root);
  // All packages in one process: the package manager takes longer to start than to pack.
  const filters = folders.map((folder) => `--filter=./${relative(root, folder)}`);
  const pack = ['pack', '--recursive', ...filters, '--json', '--pack-destination', destination];
  const packed = JSON.parse(run('npx', ['--prefer-offline', '--yes', packageManager, ...pack], root));
  return new Map(packed.map(({ name, filename }) => [name, filename]));
}

/**
 * Installs packed packages with all their dependencies. Our own packages all come from tarballs.
 *
 * @param project A folder. If it has no project, an empty one is made.
 * @param names Names of our packages.
 * @param others Further packages: tarballs, or names in the registry.
 */
export function installPacked(project, { tarballs, names, others = /** @type {string[]} */ ([]) }) {
  mkdirSync(project, { recursive: true });
  const manifest = join(project, 'package.json');
  const empty = { name: 'empty', private: true, type: 'module' };
  if (!existsSync(manifest)) writeFileSync(manifest, JSON.stringify(empty));
  const files = withNeeded(names).map((name) => tarballs.get(name));
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', ['install', ...options, ...files, ...others], project);
}

/**
 * Installs the program and one more package, such as an adapter, from tarballs into an empty folder.
 *
 * @returns The folder.
 */
export function installProgramWith(scratch, folder) {
  const packed = join(scratch, 'tarballs');
  const project = join(scratch, 'project');
  mkdirSync(packed);
  const tarballs = packAll(packed, [...publicFolders(), folder]);
  installPacked(project, {
    tarballs,
    names: ['@tallybook/server'],
    others: [tarballs.get(readManifest(folder).name)],
  });
  return project;
}

/** The named packages of ours, and our packages that they need. */
function withNeeded(names) {
  const manifests = new Map(
    publicFolders()
      .map(readManifest)
      .map((manifest) => [manifest.name, manifest]),
  );
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    const { dependencies, peerDependencies } = manifests.get(name);
    Object.keys({ ...dependencies, ...peerDependencies })
      .filter((each) => manifests.has(each))
      .forEach(add);
  };
  names.forEach(add);
  return [...found];
}

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

export function run(program, args, cwd) {
  return execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
}
