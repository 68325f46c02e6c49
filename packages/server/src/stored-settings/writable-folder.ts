import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidOption } from '@tallybook/devices';

/** A file that is made and removed at once. */
const PROBE = '.tallybook-probe';

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
