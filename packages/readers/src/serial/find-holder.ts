import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename } from 'node:path';

/** The command line of the service of this project, whose words end with a zero byte each. */
const SERVICE = /[/\0]tallybook(?:\.cjs)?\0serve\0/;

/**
 * Finds a process that has a file open, if this user may see that process. It may be this process.
 *
 * @returns Name and number of the process, such as `agetty (1234)` or `the service (1234)`; `undefined` if there is none, or no `/proc`.
 */
export async function findHolder(path: string): Promise<string | undefined> {
  try {
    const file = await realpath(path);
    for (const pid of await readdir('/proc')) {
      if (!/^[0-9]+$/.test(pid) || !(await holds(pid, file))) continue;
      if (Number(pid) === process.pid) return `this program (${pid})`;
      return `${await nameOf(pid)} (${pid})`;
    }
  } catch {
    // The fault is useful without the name of the program.
  }
  return undefined;
}

/**
 * The name of the program. The name in `comm` is not used: it is the name of a thread, which Node 24 calls MainThread.
 */
async function nameOf(pid: string): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
  if (SERVICE.test(command)) return 'the service';
  return basename((await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, ''));
}

async function holds(pid: string, file: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  // The processes of other users are not readable, and some processes end meanwhile.
  const descriptors = await readdir(folder).catch(() => []);
  const links = await Promise.all(
    descriptors.map((descriptor) => readlink(`${folder}/${descriptor}`).catch(() => '')),
  );
  return links.includes(file);
}
