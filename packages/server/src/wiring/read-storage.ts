import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageStatus } from '@tallybook/http-koa';

/** How large a folder is, with what is below it, and how much room there is on its file system. */
export async function readStorage(folder: string): Promise<StorageStatus> {
  const [freeBytes, usedBytes] = await Promise.all([readFreeBytes(folder), readUsed(folder)]);
  return { freeBytes, usedBytes };
}

/** What may still be written to the file system of a folder; `undefined` where it does not tell. */
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

/** A database removes files at any moment. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
