// Roots of Debian, made by mmdebstrap once and kept as tar files.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages/packing.mjs';
import { emulateArm64 } from './emulation.mjs';
import { NoRoot } from './no-root.mjs';

const kept = join(root, 'node_modules/.tallybook-release');
/** What Debian has on a device: systemd, rights of devices, and manuals. It does not run here, but is installed. */
const OF_A_DEVICE = ['systemd-sysv', 'udev', 'procps', 'man-db', 'libatomic1'];
/** What a program needs that brings its own Node, and a shell for its script. */
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1', 'libatomic1'];
const SHELL = ['dash', 'coreutils'];
const LONGEST_MS = 1_500_000;

/**
 * Unpacks a Debian as on a device.
 *
 * @param suite Such as `bookworm`.
 * @param architecture `amd64`, or `arm64`, which is emulated and takes minutes the first time.
 * @param folder A new folder.
 */
export function makeDeviceRoot(suite, architecture, folder) {
  const name = `device-${suite}-${architecture}`;
  if (architecture === 'arm64') emulateArm64();
  unpack(obtain(name, suite, architecture, ['--variant=apt', `--include=${OF_A_DEVICE.join()}`]), folder);
}

/** Unpacks only the libraries that the program needs, and a shell. No scripts of packages run, so nothing is emulated. */
export function makeBareRoot(suite, architecture, folder) {
  const packages = [...LIBRARIES, ...(architecture === 'amd64' ? SHELL : [])];
  const options = ['--variant=extract', `--include=${packages.join()}`];
  unpack(obtain(`bare-${suite}-${architecture}`, suite, architecture, options), folder);
}

function obtain(name, suite, architecture, options) {
  const file = join(kept, `${name}.tar`);
  if (existsSync(file)) return file;
  console.log(`makes the root ${name}, once`);
  mkdirSync(kept, { recursive: true });
  // Under its name there is only ever a whole one.
  const made = join(kept, `${name}.${process.pid}.tar`);
  // mmdebstrap would look for emulation with another program, which may not be installed.
  const args = ['--quiet', '--skip=check/qemu', `--architectures=${architecture}`, ...options, suite, made];
  const { status, error, stderr } = spawnSync('mmdebstrap', args, { encoding: 'utf8', timeout: LONGEST_MS });
  if (status === 0) {
    renameSync(made, file);
    return file;
  }
  rmSync(made, { force: true });
  const [reason] = (stderr ?? '').match(/^E: .*$/gm) ?? [stderr];
  throw new NoRoot(`mmdebstrap cannot make ${name}: ${error?.message ?? reason}`);
}

function unpack(file, folder) {
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync('tar', ['-xf', file, '--numeric-owner', '-C', folder], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${file} cannot be unpacked`);
}
