// Makes a disk with Debian and systemd, without Tallybook, as a person has it before the installation.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const guest = fileURLToPath(new URL('guest/', import.meta.url));
const SYSTEM = ['systemd-sysv', 'systemd-timesyncd', 'dbus', 'udev', 'procps', 'kmod'];
/** Without a network, apt cannot get what the package depends on. */
const LIBRARIES = ['libstdc++6', 'libatomic1'];
/** What the first disk needs. Without the rest, the initial memory disk is made and read in a tenth of the time. */
const MODULES = ['virtio_pci', 'virtio_blk', 'ext4'];
const PLACES = {
  'agent.sh': 'usr/local/sbin/agent',
  'agent.service': 'etc/systemd/system/agent.service',
  'agent.rules': 'etc/udev/rules.d/90-agent.rules',
  'wired.network': 'etc/systemd/network/wired.network',
};

/**
 * Makes the disk of a processor and a release of Debian, or takes the one that was made before.
 *
 * @param architecture `amd64` or `arm64`, as Debian names it.
 * @returns The paths of `disk`, `kernel` and `initrd`.
 */
export function obtainImage(architecture, suite) {
  const recipe = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  for (const file of Object.keys(PLACES)) recipe.update(readFileSync(join(guest, file)));
  const kept = process.env.TALLYBOOK_TEST_BOOT_CACHE ?? join(homedir(), '.cache/tallybook-boot');
  const folder = join(kept, `${suite}-${architecture}-${recipe.digest('hex').slice(0, 12)}`);
  if (!existsSync(folder)) make(folder, architecture, suite);
  return { disk: join(folder, 'disk'), kernel: join(folder, 'kernel'), initrd: join(folder, 'initrd') };
}

function make(folder, architecture, suite) {
  console.log(`making a disk with Debian ${suite} for ${architecture} …`);
  const scratch = mkdtempSync(join(tmpdir(), 'tallybook-boot-image-'));
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  try {
    const archive = join(scratch, 'root.tar');
    const hook = (name, script) => `--${name}-hook=set -e; cd "$1"; ${script}`;
    const modules = `mkdir -p etc/initramfs-tools/conf.d; echo MODULES=list > etc/initramfs-tools/conf.d/modules; printf '%s\\n' ${MODULES.join(' ')} > etc/initramfs-tools/modules`;
    const copies = Object.entries(PLACES).map(
      ([file, place]) => `install -D -m 644 ${guest}${file} ${place}`,
    );
    const finish = [
      ...copies,
      'chmod 755 usr/local/sbin/agent',
      'echo tallybook-test > etc/hostname',
      "echo '127.0.0.1 localhost tallybook-test' > etc/hosts",
      "echo '/dev/vda / ext4 errors=remount-ro 0 1' > etc/fstab",
      // A person who looks at a failed run can sign in on the console.
      'chroot . passwd --delete root',
      'chroot . systemctl enable systemd-networkd',
      // They hold the lock of apt for a while when the clock is set.
      'chroot . systemctl mask apt-daily.timer apt-daily-upgrade.timer',
    ].join('; ');
    const include = [...SYSTEM, ...LIBRARIES, `linux-image-${architecture}`].join(',');
    execFileSync(
      'mmdebstrap',
      [
        ...['--quiet', '--variant=minbase', `--architectures=${architecture}`, `--include=${include}`],
        ...[hook('essential', modules), hook('customize', finish), suite, archive],
      ],
      { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, LC_ALL: 'C' } },
    );
    // mmdebstrap mounts things below a folder that it fills. A folder that is unpacked can be removed in any case.
    const system = join(scratch, 'root');
    mkdirSync(system);
    execFileSync('tar', ['-xf', archive, '-C', system, '--numeric-owner', '--xattrs']);
    rmSync(archive);
    for (const [from, to] of [
      ['vmlinuz', 'kernel'],
      ['initrd.img', 'initrd'],
    ]) {
      execFileSync('cp', ['--dereference', join(system, from), join(unfinished, to)]);
    }
    const disk = join(unfinished, 'disk');
    execFileSync('mke2fs', ['-q', '-t', 'ext4', '-d', system, disk, '3G'], { stdio: 'inherit' });
    renameSync(unfinished, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
