import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the kernel lists all terminals, real ones and others. */
const TERMINALS = 'sys/class/tty';
/** Type of ports that a driver has room for, but that have no hardware. */
const NO_HARDWARE = '0';
/** Bluetooth lines have no device before the other side is there, and exist only if somebody made them. */
const BLUETOOTH = /^rfcomm[0-9]+$/;
/** Names that only real lines have, for where there is no sysfs. Of `ttyS` there are always some that are not real. */
const REAL_NAMES = /^(?:tty(?:USB|ACM|AMA|SC|mxc)|rfcomm)[0-9]+$/;

/** What is known of the serial lines of this machine. */
export interface SerialLines {
  /** Whether a device file of this name is a serial line. */
  readonly isOne: (name: string) => boolean;
  /** The lines on which the kernel writes its messages. */
  readonly consoles: readonly string[];
}

/**
 * Asks the kernel which terminals are serial lines: those that have a device, and whose type is not "none".
 *
 * @param root The folder that has `sys` in it.
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
  // Only lines of the serial core have a type; those of USB exist only while they are there.
  const type = await readFile(join(folder, name, 'type'), 'utf8').catch(() => '');
  return hasDevice && type.trim() !== NO_HARDWARE;
}
