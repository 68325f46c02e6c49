import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkBackup, joinLines, TallybookError, type BackupCounts } from '@tallybook/domain';
import { readLines } from './read-lines.js';

/** The name of a backup while it is being written. */
function unfinishedName(name: string): string {
  return `.${name}.unfinished`;
}

const UNFINISHED = /^\.(.+)\.unfinished$/;

/** The name that an unfinished backup was to get, `undefined` if the file is none. */
export function nameOfUnfinished(file: string): string | undefined {
  return UNFINISHED.exec(file)?.[1];
}

/**
 * Writes a backup to a file, in the place of one that is there, whole or not at all: it is read back, and compared with the
 * lines, before it gets its name. Only its owner may read it. It survives a power cut when this resolves.
 *
 * Rejects as the file system does; as reading the lines does; and with `INVALID_BACKUP` if the file differs from the lines, or
 * could not be imported. Nothing is left then.
 *
 * @param signal Ends it.
 * @returns What the backup holds.
 */
export async function writeBackup(
  file: string,
  lines: AsyncIterable<string>,
  signal?: AbortSignal,
): Promise<BackupCounts> {
  const folder = dirname(file);
  const unfinished = join(folder, unfinishedName(basename(file)));
  await rm(unfinished, { force: true });
  try {
    const written = createHash('sha256');
    await pipeline(
      Readable.from(joinLines(hashing(lines, written))),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
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
    // The error that matters is why the backup failed, not why its rest cannot be removed.
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

/** Makes durable which files a folder holds. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
