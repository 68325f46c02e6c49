import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageStatus } from '@tallybook/http-koa';

/** The size of a folder with everything below it, and the free space of its file system. */
export async function readStorage(folder: string): Promise<StorageStatus> {
  const [freeBytes, usedBytes] = await Promise.all([readFreeBytes(folder), readUsed(folder)]);
  return { freeBytes, usedBytes };
}

/**
 * The bytes that may still be written to the file system of a folder; `undefined` if the file system does not report
 * them.
 */
export async function readFreeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

async function readUsed(folder: string): Promise<number | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    const sizes = await Promise.all(
      entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => sizeOf(join(parentPath, name))),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch {
    return undefined;
  }
}

/** The size of a file; a database may remove it at any time. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
