import { open, rm, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { TallybookError } from '@tallybook/domain';
import type { BackupService } from '@tallybook/domain/record';
import type { RestoreBackup } from '@tallybook/http-koa';
import { splitLines } from './read-lines.js';

/** Name of the kept bytes; `store-level` knows it. */
const KEPT = '.restore.unfinished';
/** Bytes that stay free on the disk of the record: below that, a database may have no space for its own work. */
const RESERVE_BYTES = 100_000_000;
/** After this many bytes, the free space is looked at again. */
const LOOK_BYTES = 8_388_608;

interface RestoreParts {
  readonly backup: Pick<BackupService, 'import'>;
  /** Where the bytes are kept meanwhile. */
  readonly folder: string;
  /** Default: of the file system of the folder. */
  readonly readFreeBytes?: (folder: string) => Promise<number>;
}

/**
 * Restores backups from a stream. The bytes are kept in a file without a name, because a backup is read twice: when the process
 * ends, also by a power cut, the system removes them.
 */
export function restorerOf({ backup, folder, readFreeBytes = freeBytesOf }: RestoreParts): RestoreBackup {
  return async (bytes, { received, confirm }) => {
    await using file = await openKept(join(folder, KEPT)).catch(failKeeping);
    let unlooked = LOOK_BYTES;
    for await (const chunk of bytes) {
      unlooked += chunk.length;
      if (unlooked >= LOOK_BYTES) {
        unlooked = 0;
        if ((await readFreeBytes(folder)) < RESERVE_BYTES + LOOK_BYTES)
          throw new TallybookError(
            'STORE_WRITE_FAILED',
            'the disk has too little space for a backup to restore',
          );
      }
      await file.writeFile(chunk).catch(failKeeping);
    }
    await received();
    let pass = 0;
    return await backup.import(() => {
      // First it checks all lines, then it writes.
      pass += 1;
      if (pass === 2) confirm();
      return splitLines(file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>);
    });
  };
}

/** A new file without a name, open for reading and writing. */
async function openKept(path: string): Promise<FileHandle> {
  await rm(path, { force: true });
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

function failKeeping(cause: unknown): never {
  throw new TallybookError('STORE_WRITE_FAILED', 'the backup cannot be kept while it is restored', { cause });
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
