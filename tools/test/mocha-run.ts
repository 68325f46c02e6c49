import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ScratchFolder } from '../../reliability/scratch-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program of Node at the top of the project. Resolves with the result. */
export async function runNode(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_V8_COVERAGE: '', ...variables },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Runs mocha, with the required files of `.mocharc.json`, on a test file. Resolves with the result. */
export async function runMocha(tests: string, variables: NodeJS.ProcessEnv = {}): Promise<Ended> {
  await using folder = new ScratchFolder('tallybook-mocha-');
  const file = join(folder.path, 'some.test.cjs');
  await writeFile(file, tests);
  const required = ['fixed-seed.cjs', 'mocha/left-out.cjs', 'mocha/left-open.cjs'];
  const options = required.flatMap((name) => ['--require', `tools/${name}`]);
  const program = ['node_modules/mocha/bin/mocha.js', '--no-config', ...options];
  return await runNode([...program, '--reporter', 'tools/mocha/totals-reporter.mjs', file], variables);
}
