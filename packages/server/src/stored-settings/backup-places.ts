import { access, constants, readFile, realpath, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SettingsSource } from '@tallybook/http-koa';

type BackupPlace = Awaited<ReturnType<SettingsSource['findBackupPlaces']>>[number];

/** Folders below which people and desktops mount sticks and disks. */
const BELOW = ['/media', '/mnt', '/run/media'];
/** File systems of sticks, cards and disks. */
const TYPES = new Set(['vfat', 'exfat', 'ext4', 'ntfs3']);

/**
 * The mounted file systems that a backup could go to: those on a stick, a card or another disk, which this process may write.
 *
 * @param store The folder of the store, whose own device is left out.
 * @param below Folders below which to look. Default: {@link BELOW}.
 */
export async function findBackupPlaces(
  store: string,
  below: readonly string[] = BELOW,
): Promise<readonly BackupPlace[]> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  const paths = mounts.split('\n').flatMap((line) => {
    const [, written = '', type = ''] = line.split(' ');
    const path = unescape(written);
    const isBelow = below.some((folder) => path === folder || path.startsWith(`${folder}/`));
    return TYPES.has(type) && isBelow ? [path] : [];
  });
  const seen = new Set<number | undefined>([await deviceOf(store)]);
  const places: BackupPlace[] = [];
  for (const path of paths) {
    const device = await deviceOf(path);
    if (device === undefined || seen.has(device) || !(await isWritable(path))) continue;
    seen.add(device);
    const { bavail, bsize } = await statfs(path);
    places.push({ path, freeBytes: bavail * bsize, isRemovable: await isRemovable(device) });
  }
  return places;
}

/** The kernel writes spaces and others as octal numbers: `\040`. */
function unescape(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
}

async function deviceOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ dev }) => dev,
    () => undefined,
  );
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether a block device is at a USB port, or says of itself that it is removable. A partition is below its disk. */
async function isRemovable(device: number): Promise<boolean> {
  const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00)];
  try {
    const folder = await realpath(`/sys/dev/block/${major}:${minor}`);
    if (folder.includes('/usb')) return true;
    const flags = [join(folder, 'removable'), join(dirname(folder), 'removable')];
    const texts = await Promise.all(flags.map((flag) => readFile(flag, 'utf8').catch(() => '')));
    return texts.some((text) => text.trim() === '1');
  } catch {
    return false;
  }
}
