// Packs the packages as they would be published, and installs what was packed with npm, as people do.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of the packages that are published. */
export function publicFolders() {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')) && readManifest(folder).private !== true);
}

/** Whether there is something to import from a package: one of files, such as a page, has nothing. */
export function isLibrary(folder) {
  return readManifest(folder).exports['.'] !== undefined;
}

/**
 * Packs every public package, as it was built.
 *
 * @param destination A folder that exists.
 * @returns The tarballs by the names of the packages.
 */
export function packAll(destination) {
  const { packageManager } = readManifest(root);
  // All in one process: the package manager takes longer to begin than to pack.
  const filters = publicFolders().map((folder) => `--filter=./packages/${basename(folder)}`);
  const pack = ['pack', '--recursive', ...filters, '--json', '--pack-destination', destination];
  const packed = JSON.parse(run('npx', ['--prefer-offline', '--yes', packageManager, ...pack], root));
  return new Map(packed.map(({ name, filename }) => [name, filename]));
}

/**
 * Installs packages that were packed, those of ours that they need, and what all of them need.
 *
 * @param project A folder; an empty project is made in it unless there is one.
 * @param names Of packages of ours.
 * @param others Packages of the registry.
 */
export function installPacked(project, { tarballs, names, others = [] }) {
  mkdirSync(project, { recursive: true });
  const manifest = join(project, 'package.json');
  const empty = { name: 'empty', private: true, type: 'module' };
  if (!existsSync(manifest)) writeFileSync(manifest, JSON.stringify(empty));
  const files = withNeeded(names).map((name) => tarballs.get(name));
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', ['install', ...options, ...files, ...others], project);
}

/** Packages of ours and those of ours that they need. */
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
