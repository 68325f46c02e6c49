// Tests of the checkout with the released Node for arm64, and the built parts for arm64 that the packages bring.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../packages/packing.mjs';
import { emulateArm64 } from './emulation.mjs';

const CONTRACTS = ['packages/store-level/test/stores/contract.test.ts'];
const KILLS = ['--import=tsx', '--conditions=@tallybook/source', 'reliability/run.ts', '--short', 'kills'];

/**
 * @param release A folder with the archive for arm64.
 * @param libraries A bare root for arm64.
 * @returns Of each command, whether it succeeded.
 */
export async function runOnArm64(release, libraries) {
  emulateArm64();
  const node = unpackNode(release, join(libraries, 'opt'));
  const env = {
    ...process.env,
    QEMU_LD_PREFIX: libraries,
    // The compiler of tsx is a program for this processor, also if Node says otherwise.
    ESBUILD_BINARY_PATH: nativeCompiler(),
  };
  const results = [];
  for (const args of [['node_modules/mocha/bin/mocha.js', '--timeout', '900000', ...CONTRACTS], KILLS]) {
    const child = spawn(node, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    const [code] = await once(child, 'exit');
    process.off('exit', kill);
    results.push(code === 0);
  }
  return results;
}

function unpackNode(release, folder) {
  const archive = readdirSync(release).find((name) => name.endsWith('-linux-arm64.tar.xz'));
  const name = archive.replace('.tar.xz', '');
  mkdirSync(folder, { recursive: true });
  const args = ['-xf', join(release, archive), '-C', folder, `${name}/lib/tallybook/node`];
  const { status } = spawnSync('tar', args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${archive} cannot be unpacked`);
  return join(folder, name, 'lib/tallybook/node');
}

function nativeCompiler() {
  const require = createRequire(createRequire(import.meta.url).resolve('esbuild'));
  return require.resolve(`@esbuild/${process.platform}-${process.arch}/bin/esbuild`);
}
