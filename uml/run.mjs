// Runs the tests that need devices of the kernel, in a kernel that simulates them: User Mode Linux, which is a program.
//
//   npm run uml                                             all of them
//   npm run uml -- packages/x/test/y-gpio-sim.test.ts       these
//   npm run uml -- --optional                               where there can be no kernel, says why and succeeds
//
// Its root is this machine's, and cannot be written; TMPDIR is in memory. It needs no rights but those to read the project.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NoKernel, obtainKernel } from './kernel.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const init = fileURLToPath(new URL('init.sh', import.meta.url));
const TESTS = /-(?:gpio-sim|uinput)\.test\.ts$/;
const LONGEST_MS = 300_000;
/** So that a busy machine leaves the tests out instead of being busy with the kernel alone. */
const LONGEST_OPTIONAL_BUILD_MS = 360_000;
const MEMORY_MIB = 768;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { optional: { type: 'boolean', default: false } },
});

try {
  const kernel = obtainKernel(values.optional ? LONGEST_OPTIONAL_BUILD_MS : undefined);
  const tests = positionals.length > 0 ? positionals : findTests();
  process.exit(await boot(kernel, tests));
} catch (error) {
  if (!(error instanceof NoKernel)) throw error;
  console.log(`the tests in User Mode Linux are left out: ${error.message}`);
  process.exit(values.optional ? 0 : 1);
}

function findTests() {
  const folders = readdirSync(new URL('../packages', import.meta.url)).map((name) => `packages/${name}/test`);
  return folders.flatMap((folder) => {
    const path = new URL(`../${folder}`, import.meta.url);
    const files = existsSync(path) ? readdirSync(path, { recursive: true }) : [];
    return files.filter((file) => TESTS.test(file)).map((file) => `${folder}/${file}`);
  });
}

/** Boots, shows what the tests print, and resolves with their exit code. */
async function boot(kernel, tests) {
  const parameters = [
    `mem=${MEMORY_MIB}M`,
    'root=/dev/root',
    'rootfstype=hostfs',
    'rootflags=/',
    'ro',
    'quiet',
    `init=${init}`,
    `TALLYBOOK_TEST_ROOT=${root}`,
    `TALLYBOOK_TEST_NODE=${process.execPath}`,
    `TALLYBOOK_TEST_FILES=${tests.join(',')}`,
  ];
  const child = spawn(kernel, parameters, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: memoryFolder() },
    detached: true,
  });
  // A kernel that cannot be started has not booted, which is all there is to know.
  child.once('error', () => undefined);
  // Its processes are processes here, of its group: if they were not killed too, they would stay.
  const kill = () => process.kill(-child.pid, 'SIGKILL');
  setTimeout(kill, LONGEST_MS);
  process.once('SIGINT', kill).once('SIGTERM', kill);
  let hasBooted = false;
  let exitCode;
  for await (const line of createInterface({ input: child.stdout })) {
    const [, code] = /^tests ended with code ([0-9]+)/.exec(line) ?? [];
    if (code !== undefined) exitCode = Number(code);
    else if (line === 'tests begin') hasBooted = true;
    else if (exitCode === undefined) console.log(line);
  }
  if (!hasBooted) throw new NoKernel(`${kernel} does not boot on this machine`);
  if (exitCode !== undefined) return exitCode;
  console.error(`User Mode Linux ended before the tests did; they have ${LONGEST_MS / 1_000} seconds`);
  return 1;
}

/** Its memory is a file there, which is fast in shared memory. In a container that is often too small, and it would die. */
function memoryFolder() {
  if (!existsSync('/dev/shm')) return tmpdir();
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize > MEMORY_MIB * 1024 * 1024 ? '/dev/shm' : tmpdir();
}
