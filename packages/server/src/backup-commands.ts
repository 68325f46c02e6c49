import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupService, openAll, TallybookError, type BackupCounts } from '@tallybook/domain';
import { readLines } from './read-lines.js';
import { createStores, requireStore } from './stores.js';

/**
 * Writes everything that a store holds as JSON Lines. A file appears whole or not at all, and only its owner may
 * read it.
 *
 * @param file `undefined` or `-` for standard output.
 */
export async function exportBackup(store: string, file: string | undefined): Promise<void> {
  requireStore(store);
  await withBackup(store, async (backup) => {
    const lines = Readable.from(terminated(backup.export()));
    if (file === undefined || file === '-') await pipeline(lines, process.stdout, { end: false });
    else await writeWhole(file, lines);
  });
}

/** Reads JSON Lines back into a store, which is made if it does not exist. All of the file is checked first. */
export async function importBackup(store: string, file: string): Promise<BackupCounts> {
  await requireReadable(file);
  return withBackup(store, (backup) => backup.import(() => readLines(file)));
}

async function withBackup<T>(store: string, work: (backup: BackupService) => Promise<T>): Promise<T> {
  const { mapping, days } = createStores(store);
  await using opened = await openAll([mapping, days]);
  void opened;
  return await work(new BackupService(mapping, days));
}

async function* terminated(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) yield `${line}\n`;
}

async function writeWhole(file: string, content: Readable): Promise<void> {
  const folder = dirname(file);
  const unfinished = join(folder, `.${basename(file)}.${process.pid}.unfinished`);
  try {
    await pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(unfinished, file);
  } catch (cause) {
    await rm(unfinished, { force: true });
    if (cause instanceof TallybookError) throw cause;
    throw new TallybookError('INVALID_OPTION', `cannot write ${file}: ${(cause as Error).message}`, {
      cause,
    });
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
