import { createWriteStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { invalidOption } from '@tallybook/devices';
import { counted, isTallybookError } from '@tallybook/domain';
import { BackupService, checkBackup, joinLines, type ImportCounts } from '@tallybook/domain/record';
import { ProgressLine, writeOutput } from './terminal-output.js';
import { findOwner } from './access/with-owner.js';
import { noteAsOwner } from '../audit/command-trail.js';
import { readLines, splitLines } from '../backup/read-lines.js';
import { requireStore } from '../config/stores.js';
import { advising, withStorage } from './of-command.js';
import { writeBackup } from '../backup/write-backup.js';

interface BackupCommandOptions {
  /** Line for the progress. Default: standard error, if that is a terminal. */
  readonly progress?: ProgressLine;
}

/**
 * Writes all data of a store as JSON Lines. If a service has the store open, that service reads the data. A file appears
 * whole or not at all, and only its owner may read it. A pipe or a device is written directly.
 *
 * @param file `undefined` or `-` for standard output.
 */
export async function exportBackup(
  store: string,
  file: string | undefined,
  { progress = new ProgressLine(process.stderr) }: BackupCommandOptions = {},
): Promise<void> {
  await requireStore(store);
  const toOutput = file === undefined || file === '-';
  const write = async (lines: AsyncIterable<string>): Promise<void> => {
    // If the terminal shows the lines themselves, progress would appear between them.
    if (toOutput && process.stdout.isTTY) return writeOutput(joinLines(lines));
    const shown = progress.count(lines, (count) => `exporting line ${count}`);
    return toOutput ? writeOutput(joinLines(shown)) : writeBackupFile(file, shown);
  };
  const client = await findOwner(store);
  try {
    if (client !== undefined) await write(splitLines(client.read('/api/export')));
    else
      await advising('; or export from the running server: GET /api/export', () =>
        withStorage(store, (storage) => write(new BackupService(storage).export())),
      );
  } finally {
    progress.end();
  }
}

/** Imports JSON Lines into a store, which is made if it does not exist. The whole file is checked first. */
export async function importBackup(
  store: string,
  file: string,
  { progress = new ProgressLine(process.stderr) }: BackupCommandOptions = {},
): Promise<ImportCounts> {
  await requireReadable(file);
  try {
    const read = (what: string): AsyncIterable<string> =>
      progress.count(readLines(file), (count) => `${what} line ${count}`);
    const { names, entries, corrections, provisional } = await checkBackup(read('checking'));
    const records = names + entries + corrections + provisional;
    // The service reads the file twice: first it checks everything again with the open store, then it writes.
    const passes = ['checking again', `importing ${counted(records, 'record')},`].values();
    return await withStorage(store, async (storage) => {
      const counts = await new BackupService(storage).import(() => read(passes.next().value ?? 'reading'));
      await noteAsOwner(storage, 'imported', { ...counts });
      return counts;
    });
  } finally {
    progress.end();
  }
}

/** Writes a backup to a file, or to a pipe or a device. */
export async function writeBackupFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  try {
    const target = await findTarget(file);
    if (target.isReplaceable) await writeBackup(target.path, lines);
    else await pipeline(Readable.from(joinLines(lines)), createWriteStream(target.path));
  } catch (cause) {
    if (isTallybookError(cause)) throw cause;
    throw invalidOption(`cannot write ${file}: ${(cause as Error).message}`, undefined, cause);
  }
}

/** The target of a name, through links. Only a regular file may be replaced; a pipe or a device must not. */
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
    await using handle = await open(file);
    if (!(await handle.stat()).isFile()) throw new Error('it is not a file');
  } catch (cause) {
    throw invalidOption(`cannot read ${file}: ${(cause as Error).message}`, undefined, cause);
  }
}
