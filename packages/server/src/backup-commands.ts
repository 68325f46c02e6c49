import { createWriteStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  BackupService,
  checkBackup,
  isTallybookError,
  joinLines,
  openAll,
  TallybookError,
  type BackupCounts,
} from '@tallybook/domain';
import { readLines } from './read-lines.js';
import { createStores, requireStore } from './config/stores.js';
import { writeBackup } from './write-backup.js';

/**
 * Writes everything that a store holds as JSON Lines. A file appears whole or not at all, and only its owner may
 * read it; a pipe or a device is written to as it is.
 *
 * @param file `undefined` or `-` for standard output.
 */
export async function exportBackup(store: string, file: string | undefined): Promise<void> {
  await requireStore(store);
  try {
    await withBackup(store, async (backup) => {
      const lines = backup.export();
      if (file === undefined || file === '-') await writeToOutput(lines);
      else await writeToFile(file, lines);
    });
  } catch (error) {
    throw isTallybookError(error, 'STORE_LOCKED') ? explained(error) : error;
  }
}

/** Reads JSON Lines back into a store, which is made if it does not exist. All of the file is checked first. */
export async function importBackup(store: string, file: string): Promise<BackupCounts> {
  await requireReadable(file);
  await checkBackup(readLines(file));
  return withBackup(store, (backup) => backup.import(() => readLines(file)));
}

function explained(locked: TallybookError): TallybookError {
  const message = `${locked.message}; or ask the server that runs for a copy: GET /api/export`;
  return new TallybookError('STORE_LOCKED', message, { cause: locked, details: locked.details });
}

async function withBackup<T>(store: string, work: (backup: BackupService) => Promise<T>): Promise<T> {
  const { snapshots, mapping, days, provisional } = createStores(store);
  const opened = await openAll([mapping, days, provisional]);
  try {
    return await work(new BackupService({ snapshots, mapping, days, provisional }));
  } finally {
    await opened.close();
  }
}

async function writeToOutput(lines: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(joinLines(lines)), process.stdout, { end: false });
  } catch (error) {
    // Who reads has had enough, as `head` does.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

async function writeToFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  try {
    const target = await findTarget(file);
    if (target.isReplaceable) await writeBackup(target.path, lines);
    else await pipeline(Readable.from(joinLines(lines)), createWriteStream(target.path));
  } catch (cause) {
    if (cause instanceof TallybookError) throw cause;
    throw new TallybookError('INVALID_OPTION', `cannot write ${file}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** Where a name leads. Only a regular file is put in the place of another; a pipe or a device must stay what it is. */
async function findTarget(file: string): Promise<{ readonly path: string; readonly isReplaceable: boolean }> {
  try {
    return { path: await realpath(file), isReplaceable: (await stat(file)).isFile() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { path: file, isReplaceable: true };
    throw error;
  }
}

async function requireReadable(file: string): Promise<void> {
  try {
    const handle = await open(file);
    const isFile = (await handle.stat()).isFile();
    await handle.close();
    if (!isFile) throw new Error('it is not a file');
  } catch (cause) {
    throw new TallybookError('INVALID_OPTION', `cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}
