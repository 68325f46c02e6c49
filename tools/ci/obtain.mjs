// Fetches the tools that a run needs besides Node and npm, if possible. Missing tools are reported, and their tests are left
// out.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Programs for tests, each with its Debian package. */
const TOOLS = {
  cc: 'gcc',
  faketime: 'faketime',
  mosquitto: 'mosquitto',
  openssl: 'openssl',
  gpioset: 'gpiod',
  evtest: 'evtest',
  pcscd: 'pcscd',
  'vpcd-config': 'vsmartcard-vpcd',
  promtool: 'prometheus',
  initdb: 'postgresql',
  mmdebstrap: 'mmdebstrap',
  'qemu-aarch64-static': 'qemu-user-static',
  ip: 'iproute2',
  xz: 'xz-utils',
};
/**
 * One of these browsers is enough. The first has no windows, so a page needs less work, but not every distribution has
 * it.
 */
const BROWSERS = ['chromium-headless-shell', 'chromium'];
const INSTALLING_MS = 240_000;

/** Installs missing tools. Returns the packages that could not be installed. */
export function obtainTools() {
  install(findMissing());
  const left = findMissing();
  if (!left.includes(BROWSERS[0])) return left;
  install(BROWSERS.slice(1));
  return findMissing();
}

function install(packages) {
  if (packages.length === 0) return;
  console.log(`installs ${packages.join(' ')}`);
  const command = 'apt-get install -y --no-install-recommends';
  // All at once, which is faster. If that fails, one by one, so that a package that this distribution lacks does not stop
  // the others.
  const script = `apt-get update
    ${command} ${packages.join(' ')} || for package in ${packages.join(' ')}; do ${command} "$package"; done`;
  spawnSync('sh', ['-c', script], { stdio: 'ignore', timeout: INSTALLING_MS });
}

/** The folders of PostgreSQL in Debian: one for each version, none of them in the `PATH`. */
function postgresFolders() {
  const place = '/usr/lib/postgresql';
  return existsSync(place) ? readdirSync(place).map((version) => join(place, version, 'bin')) : [];
}

function findMissing() {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', ...postgresFolders()];
  const isThere = (program) => folders.some((folder) => existsSync(join(folder, program)));
  return [
    ...Object.entries(TOOLS).flatMap(([program, name]) => (isThere(program) ? [] : [name])),
    ...(BROWSERS.some(isThere) ? [] : BROWSERS.slice(0, 1)),
    ...(existsSync('/usr/include/stdio.h') ? [] : ['libc6-dev']),
  ];
}

/**
 * Fetches the newest Node of a major version from the package registry into a folder.
 *
 * @returns The folder of the program; `undefined` if it cannot be fetched.
 */
export function obtainNode(major, folder) {
  const place = join(folder, `node-${major}`);
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(place);
  const install = [
    'install',
    '--prefix',
    place,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
  ];
  spawnSync('npm', [...install, `${name}@${major}`], { stdio: 'ignore', timeout: 120_000 });
  const bin = join(place, 'node_modules', name, 'bin');
  return spawnSync(join(bin, 'node'), ['--version']).status === 0 ? bin : undefined;
}
