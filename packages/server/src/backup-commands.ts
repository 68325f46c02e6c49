import { createWriteStream } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupService, checkBackup, openAll, TallybookError, type BackupCounts } from '@tallybook/domain';
import { readLines } from './read-lines.js';
import { createStores, requireStore } from './stores.js';

/**
 * Writes everything that a store holds as JSON Lines. A file appears whole or not at all, and only its owner may
 * read it; a pipe or a device is written to as it is.
 *
 * @param file `undefined` or `-` for standard output.
 */
export async function exportBackup(store: string, file: string | undefined): Promise<void> {
  await requireStore(store);
  await withBackup(store, async (backup) => {
    const lines = Readable.from(terminated(backup.export()));
    if (file === undefined || file === '-') await writeToOutput(lines);
    else await writeToFile(file, lines);
  });
}

/** Reads JSON Lines back into a store, which is made if it does not exist. All of the file is checked first. */
export async function importBackup(store: string, file: string): Promise<BackupCounts> {
  await requireReadable(file);
  await checkBackup(readLines(file));
  return withBackup(store, (backup) => backup.import(() => readLines(file)));
}

async function withBackup<T>(store: string, work: (backup: BackupService) => Promise<T>): Promise<T> {
  const { mapping, days } = createStores(store);
  const opened = await openAll([mapping, days]);
  try {
    return await work(new BackupService(mapping, days));
  } finally {
    await opened.close();
  }
}

async function* terminated(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) yield `${line}\n`;
}

async function writeToOutput(content: Readable): Promise<void> {
  try {
    await pipeline(content, process.stdout, { end: false });
  } catch (error) {
    // Who reads has had enough, as `head` does.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

async function writeToFile(file: string, content: Readable): Promise<void> {
  try {
    const target = await findTarget(file);
    if (target.isReplaceable) await writeWhole(target.path, content);
    else await pipeline(content, createWriteStream(target.path));
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

async function writeWhole(file: string, content: Readable): Promise<void> {
  const folder = dirname(file);
  const unfinished = join(folder, `.${basename(file)}.${process.pid}.unfinished`);
  try {
    await pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
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
