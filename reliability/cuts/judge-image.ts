import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerOf, STORE } from './recording.js';
import { readStore, requireWritable } from './read-store.js';
import { writeTree, type Tree } from './tree.js';

/** An image is read once and thrown away, so it need not wear a disk. */
const MEMORY = '/dev/shm';

/** Opens the store of an image, and says what is wrong with it by what was noted before the cut. */
export async function judgeImage(image: Tree, notes: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tallybook-image-'));
  try {
    await writeTree(folder, image);
    const problems = ledgerOf(notes).judge(await readStore(join(folder, STORE)));
    await requireWritable(join(folder, STORE));
    return problems;
  } catch (error) {
    return [describe(error)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
}
