import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';

/**
 * Does work while no other process can open a directory with LevelDB. If another process has it open, rejects with LevelDB's
 * error of opening. The caller must have claimed the directory: see {@link claimDirectory}.
 *
 * Node cannot lock files. So an empty LevelDB is opened in another folder: its file LOCK is a link to that of the directory.
 */
export async function withDirectoryLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const elsewhere = await mkdtemp(join(tmpdir(), 'tallybook-lock-'));
  try {
    await symlink(join(directory, 'LOCK'), join(elsewhere, 'LOCK'));
    await using holder = new Level(elsewhere);
    await holder.open();
    return await work();
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
  }
}
