import { mkdir, open, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';

/** A file that is made and removed at once. */
const PROBE = '.tallybook-probe';

/**
 * Checks that a folder for backups is not in that of the store, where names of files and folders have a meaning.
 *
 * @throws {TallybookError} `INVALID_OPTION`
 */
export async function requireOutside(store: string, path: string): Promise<void> {
  const [inner, outer] = await Promise.all([realPathOf(path), realPathOf(store)]);
  if (`${inner}${sep}`.startsWith(`${outer}${sep}`))
    throw invalidOption(`a folder outside of that of the store, ${store}; got ${quote(path)}`);
}

/** The real path of a folder that may be missing. */
async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(async () => {
    const above = dirname(path);
    return join(await realpath(above).catch(() => above), basename(path));
  });
}

/**
 * Makes a folder for backups if it is missing, for its owner only, and writes something into it. The folder above must exist: it may
 * be a stick that is not mounted.
 *
 * @throws {TallybookError} `INVALID_OPTION` with what fails, and what helps.
 */
export async function requireWritableFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    const probe = join(path, PROBE);
    await rm(probe, { force: true });
    await using file = await open(probe, 'wx', 0o600);
    await file.writeFile('x');
    await rm(probe);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw invalidOption(`the service cannot write to ${path}: ${reasons[code] ?? message}`, undefined, cause);
  }
}

const rights =
  'it has no right to; give its user the folder, and under systemd allow it with ReadWritePaths=';
const reasons: Readonly<Record<string, string>> = {
  EACCES: rights,
  EPERM: rights,
  EROFS: `it is read-only for it; mount it for writing, and under systemd allow it with ReadWritePaths=`,
  ENOENT: 'the folder above does not exist; is the stick mounted?',
  ENOTDIR: 'it is not a folder',
  ENOSPC: 'the disk is full',
};
