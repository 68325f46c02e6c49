import { readdir, readlink, realpath } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * Finds a process that has a file open, this one included, if this user may see it.
 *
 * @returns Its name and number, such as `agetty (1234)`; `undefined` if there is none, or no `/proc`.
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

/** The name of its program: what `comm` has is that of a thread, which Node 24 calls MainThread. */
async function nameOf(pid: string): Promise<string> {
  return basename((await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, ''));
}

async function holds(pid: string, file: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  // The processes of others may not be looked into, and some end meanwhile.
  const descriptors = await readdir(folder).catch(() => []);
  const links = await Promise.all(
    descriptors.map((descriptor) => readlink(`${folder}/${descriptor}`).catch(() => '')),
  );
  return links.includes(file);
}
