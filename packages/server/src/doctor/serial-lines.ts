import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Folder in which the kernel lists all terminals, real ones and others. */
const TERMINALS = 'sys/class/tty';
/** Type of a port without hardware, which exists only in the table of its driver. */
const NO_HARDWARE = '0';
/** Bluetooth lines have no device until the other side is there. They exist only if somebody made them. */
const BLUETOOTH = /^rfcomm[0-9]+$/;
/**
 * Names that only real lines have, for systems without sysfs. Names with `ttyS` are left out: some of these lines are
 * never real.
 */
const REAL_NAMES = /^(?:tty(?:USB|ACM|AMA|SC|mxc)|rfcomm)[0-9]+$/;

/** Facts about the serial lines of this machine. */
export interface SerialLines {
  /** Whether a device file of this name is a serial line. */
  readonly isOne: (name: string) => boolean;
  /** The lines on which the kernel writes its messages. */
  readonly consoles: readonly string[];
}

/**
 * Finds the terminals that are serial lines: those with a device, and with a type other than "none".
 *
 * @param root The folder that contains `sys`.
 */
export async function findSerialLines(root: string): Promise<SerialLines> {
  const folder = join(root, TERMINALS);
  const terminals = await readdir(folder).catch(() => undefined);
  if (terminals === undefined) return { isOne: (name) => REAL_NAMES.test(name), consoles: [] };
  const found = new Set<string>();
  for (const name of terminals) {
    if (await isSerialLine(folder, name)) found.add(name);
  }
  const active = await readFile(join(folder, 'console/active'), 'utf8').catch(() => '');
  return { isOne: (name) => found.has(name), consoles: active.trim().split(/\s+/) };
}

async function isSerialLine(folder: string, name: string): Promise<boolean> {
  if (BLUETOOTH.test(name)) return true;
  const hasDevice = await readlink(join(folder, name, 'device')).then(
    () => true,
    () => false,
  );
  // Only lines of the serial core have a type. Lines of USB exist only while the device is there.
  const type = await readFile(join(folder, name, 'type'), 'utf8').catch(() => '');
  return hasDevice && type.trim() !== NO_HARDWARE;
}
