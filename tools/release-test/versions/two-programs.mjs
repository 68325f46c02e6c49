// Builds two programs: that of the commit of this checkout, and a made-up next version of it.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../packages/packing.mjs';
import { applyMadeUpFormat } from './made-up-format.mjs';

/**
 * @param folder An empty folder, which gets the folders `old` and `new`.
 */
export function makeTwoPrograms(folder) {
  makeProgram(join(folder, 'old'), () => undefined);
  makeProgram(join(folder, 'new'), applyMadeUpFormat);
}

function makeProgram(folder, change) {
  mkdirSync(folder, { recursive: true });
  const sources = run('git', ['archive', 'HEAD', 'packages', 'tools', 'package.json', 'tsconfig.base.json']);
  run('tar', ['-x', '-C', folder], sources);
  linkInstalled(folder);
  change(folder);
  run('node', ['tools/bundle.mjs'], undefined, folder);
}

/** Links the installed packages. Links between packages of the workspace lead to those of the folder. */
function linkInstalled(folder) {
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter(
    (each) => !each.startsWith('.tallybook'),
  )) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    const installed = join('packages', name, 'node_modules');
    const options = { recursive: true, verbatimSymlinks: true };
    try {
      cpSync(join(root, installed), join(folder, installed), options);
    } catch (error) {
      // A package may depend on none, and tsconfig.json is beside them.
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    }
  }
}

function run(command, args, input, cwd = root) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, input, maxBuffer: 1 << 30 });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}
