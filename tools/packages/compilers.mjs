// Checks that projects with other compilers can use the types of the packages: each supported TypeScript, and each way to find modules.
// docs/reference/stable.md promises them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readManifest, root } from './packing.mjs';

/** Packages of TypeScript that are installed here, from the oldest supported version to the newest. */
const COMPILERS = [
  'packages/client/node_modules/typescript',
  'node_modules/typescript',
  'node_modules/typescript-native',
];
/** With `bundler`, the types of serialport have mistakes. */
const RESOLUTIONS = {
  nodenext: ['--module', 'nodenext'],
  node16: ['--module', 'node16'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck'],
};
const OPTIONS = [
  '--noEmit',
  '--strict',
  '--target',
  'es2023',
  '--lib',
  'es2023,esnext.disposable',
  '--types',
  'node',
];

/** The versions of TypeScript that are tried, such as `5.9`. */
export function triedCompilers() {
  return COMPILERS.map((folder) => readManifest(join(root, folder)).version.replace(/\.\d+$/, ''));
}

/** The ways to find modules that are tried. */
export const triedResolutions = Object.keys(RESOLUTIONS);

/**
 * @param file A program in a project with all packages.
 * @returns The output of each compilation that fails.
 */
export function findUnsupported(project, file) {
  return COMPILERS.flatMap((folder, at) =>
    Object.entries(RESOLUTIONS).flatMap(([resolution, options]) => {
      const args = [join(root, folder, 'bin/tsc'), ...OPTIONS, ...options, file];
      const { status, stdout, stderr } = spawnSync('node', args, { cwd: project, encoding: 'utf8' });
      return status === 0 ? [] : [`TypeScript ${triedCompilers()[at]}, ${resolution}: ${stdout}${stderr}`];
    }),
  );
}
