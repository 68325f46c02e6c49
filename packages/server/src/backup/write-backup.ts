import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TallybookError } from '@tallybook/domain';
import { checkBackup, joinLines, type BackupCounts } from '@tallybook/domain/record';
import { readLines } from './read-lines.js';

/** The name of a backup while it is being written. */
function unfinishedName(name: string): string {
  return `.${name}.unfinished`;
}

const UNFINISHED = /^\.(.+)\.unfinished$/;

/** The final name of an unfinished backup; `undefined` if the file is not one. */
export function nameOfUnfinished(file: string): string | undefined {
  return UNFINISHED.exec(file)?.[1];
}

/**
 * Writes a backup to a file, whole or not at all, and replaces an existing file. The backup is read back and compared with the
 * lines before it gets its name. Only its owner may read it. When this resolves, the backup survives a power cut.
 *
 * Rejects with the errors of the file system and of the lines, and with `INVALID_BACKUP` if the file differs from the lines,
 * or could not be imported. In these cases no file is left.
 *
 * @param signal Aborts the writing.
 * @returns Counts of the data in the backup.
 */
export async function writeBackup(
  file: string,
  lines: AsyncIterable<string>,
  signal?: AbortSignal,
): Promise<BackupCounts> {
  const folder = dirname(file);
  const unfinished = join(folder, unfinishedName(basename(file)));
  await rm(unfinished, { force: true });
  const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
  const closed = new Promise<void>((resolve) => target.once('close', resolve));
  try {
    const written = createHash('sha256');
    await pipeline(
      Readable.from(joinLines(hashing(lines, written))),
      target,
      signal === undefined ? {} : { signal },
    );
    const read = createHash('sha256');
    const counts = await checkBackup(stoppable(hashing(readLines(unfinished), read), signal));
    if (read.digest('hex') !== written.digest('hex')) {
      throw new TallybookError('INVALID_BACKUP', `${file} does not read back as it was written`);
    }
    await rename(unfinished, file);
    await syncFolder(folder);
    return counts;
  } catch (error) {
    // If the lines fail at once, the file may be made only now.
    await closed;
    // The error of the backup matters more than an error while its rest is removed.
    await rm(unfinished).catch(() => undefined);
    throw error;
  }
}

async function* hashing(lines: AsyncIterable<string>, hash: Hash): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) {
    hash.update(line).update('\n');
    yield line;
  }
}

async function* stoppable(
  lines: AsyncIterable<string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) {
    signal?.throwIfAborted();
    yield line;
  }
}

/** Makes the list of files in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
