// The kernel for the tests: built once from Debian's source package, kept in a cache outside of the project.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const configFile = fileURLToPath(new URL('kernel.config', import.meta.url));
const { TALLYBOOK_TEST_UML_CACHE: cache = join(homedir(), '.cache/tallybook-uml') } = process.env;
const sourceFolder = '/usr/src';
const BUILD_TOOLS = ['flex', 'bison', 'bc', 'make', 'gcc'];
/** The last two are what the tests use. */
const PACKAGES = ['linux-source', ...BUILD_TOOLS, 'libc6-dev', 'xz-utils', 'gpiod', 'evtest'];

/** Why there can be no kernel on this machine. */
export class NoKernel extends Error {}

/**
 * The path of the kernel, which is built if there is none yet: three minutes on two cores. Throws NoKernel, also if it
 * is not built within `longestMs`.
 */
export function obtainKernel(longestMs) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new NoKernel(`User Mode Linux is for Linux on x64; this is ${process.platform} on ${process.arch}`);
  }
  const name = `linux-${createHash('sha256').update(readFileSync(configFile)).digest('hex').slice(0, 12)}`;
  const kernel = join(cache, name);
  if (!existsSync(kernel)) build(kernel, longestMs);
  return kernel;
}

function build(kernel, longestMs) {
  const source = obtainSource();
  console.error(`builds ${kernel} from ${source}, once; this takes some minutes`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'build-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', removeFolder);
  run('tar', ['-xJf', source, '-C', folder, '--strip-components=1']);
  const make = ['-C', folder, 'ARCH=um', `KCONFIG_ALLCONFIG=${configFile}`];
  run('make', [...make, 'allnoconfig']);
  checkConfig(join(folder, '.config'));
  run('nice', ['make', ...make, `-j${availableParallelism()}`, 'linux'], longestMs);
  run('strip', [join(folder, 'linux')]);
  // Under its name there is only ever a whole one, also if two are built at the same time.
  renameSync(join(folder, 'linux'), kernel);
  removeFolder();
}

function findSource() {
  const names = existsSync(sourceFolder) ? readdirSync(sourceFolder) : [];
  const newest = names
    .filter((name) => /^linux-source-.*\.tar\.xz$/.test(name))
    .sort()
    .at(-1);
  return newest === undefined ? undefined : join(sourceFolder, newest);
}

/** The source, and what builds it: installed if it is missing and that is possible. */
function obtainSource() {
  if (!isComplete() && process.getuid() === 0) {
    const apt = 'apt-get -o DPkg::Lock::Timeout=120';
    const install = `${apt} install -y --no-install-recommends ${PACKAGES.join(' ')}`;
    spawnSync('timeout', ['300', 'sh', '-c', `${apt} update && ${install}`], { stdio: 'ignore' });
  }
  if (isComplete()) return findSource();
  throw new NoKernel(
    `there is no source of a kernel, or nothing that builds it; "sudo apt install ${PACKAGES.join(' ')}" installs both`,
  );
}

function isComplete() {
  const isInstalled = (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined;
  return findSource() !== undefined && BUILD_TOOLS.every(isInstalled);
}

/** What a kernel of another version does not have under that name is dropped without a word. */
function checkConfig(file) {
  const actual = readFileSync(file, 'utf8').split('\n');
  const wanted = readFileSync(configFile, 'utf8').match(/^CONFIG_.*$/gm);
  const missing = wanted.filter((line) => !actual.includes(line));
  if (missing.length > 0) throw new Error(`this kernel cannot have ${missing.join(', ')}`);
}

function run(program, args, longestMs) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: longestMs,
  });
  if (status === 0) return;
  if (error?.code === 'ETIMEDOUT')
    throw new NoKernel(`building took more than ${longestMs / 60_000} minutes`);
  const words = error?.message ?? `${stdout}${stderr}`.slice(-2_000);
  throw new Error(`${program} ${args.join(' ')} failed: ${words}`);
}
