// `npm run release:boot -- --deb FILE` installs the package in a virtual machine under systemd, and checks it there.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Checks } from './checks.mjs';
import { checkClock } from './checks/clock.mjs';
import { checkCrashes } from './checks/crashes.mjs';
import { checkInstallation } from './checks/installation.mjs';
import { checkMemory } from './checks/memory.mjs';
import { checkSandbox } from './checks/sandbox.mjs';
import { checkUpdates } from './checks/updates.mjs';
import { obtainImage } from './image.mjs';
import { Machine } from './machine.mjs';
import { Service } from './service.mjs';

const PROGRAMS = ['mmdebstrap', 'mke2fs', 'nbdkit', 'dpkg-deb'];
/** For the disk of the machine, which is in memory if there is so much. */
const DISK_BYTES = 3 * 1024 ** 3;

const { values } = parseArgs({
  options: { deb: { type: 'string' }, suite: { type: 'string', default: 'bookworm' } },
});
if (values.deb === undefined) {
  console.error('Usage: npm run release:boot -- --deb FILE [--suite bookworm|trixie]');
  process.exit(2);
}
const deb = resolve(values.deb);
const field = (name) => execFileSync('dpkg-deb', ['--field', deb, name], { encoding: 'utf8' }).trim();
const architecture = field('Architecture');
const emulator = architecture === 'arm64' ? 'qemu-system-aarch64' : 'qemu-system-x86_64';
const missing = [...PROGRAMS, emulator].filter((name) => !isInstalled(name));
if (missing.length > 0) {
  console.error(`install these first: ${missing.join(', ')}`);
  process.exit(1);
}

// The virtual machine ends at the exit.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const image = obtainImage(architecture, values.suite);
const folder = mkdtempSync(join(placeForDisk(), 'tallybook-boot-'));
const checks = new Checks();
try {
  const packages = join(folder, 'packages');
  mkdirSync(packages);
  copyFileSync(deb, join(packages, 'tallybook.deb'));
  const next = `${field('Version')}+next`;
  makeNext(join(packages, 'next.deb'), next);
  const machine = new Machine({ image, architecture, folder: join(folder, 'machine'), packages });
  const how = machine.isAccelerated ? 'with KVM' : 'emulated';
  console.log(`Debian ${values.suite} for ${architecture}, ${how}, on ${folder}`);
  const context = { machine, service: new Service(machine), check: checks.check, next };
  try {
    await checks.check('the machine boots', () => machine.switchOn());
    for (const part of [checkInstallation, checkSandbox, checkCrashes, checkClock, checkMemory, checkUpdates])
      await part(context);
    await machine.switchOff();
  } catch (error) {
    checks.failed++;
    console.log(`FAIL  the checks end early: ${error.message}`);
  }
  if (checks.failed > 0 && existsSync(machine.console)) showEnd(machine.console);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${checks.passed} passed, ${checks.failed} failed`);
process.exit(checks.failed === 0 ? 0 : 1);

/** The same package with a higher version. */
function makeNext(file, version) {
  const unpacked = join(folder, 'next');
  execFileSync('dpkg-deb', ['--raw-extract', deb, unpacked]);
  const control = join(unpacked, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`));
  execFileSync('dpkg-deb', ['-Znone', '--root-owner-group', '--build', unpacked, file], { stdio: 'ignore' });
  rmSync(unpacked, { recursive: true });
}

function placeForDisk() {
  if (!existsSync('/dev/shm')) return tmpdir();
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize > DISK_BYTES ? '/dev/shm' : tmpdir();
}

function isInstalled(program) {
  return process.env.PATH.split(':').some((place) => existsSync(join(place, program)));
}

function showEnd(file) {
  console.log('the end of the console of the machine:');
  console.log(readFileSync(file, 'utf8').split('\n').slice(-30).join('\n'));
}
