import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '../ledger/ledger.js';
import { ScratchFolder } from '../scratch-folder.js';
import { refusalBy, type Verdict } from '../verdict.js';
import { storageFormat } from '../../packages/store-level/src/rows/format-row.js';
import { knowFormatZero } from './format-zero.js';
import { STORE } from './recording.js';
import { fileProvisional, readStore, requireWritable } from './read-store.js';
import { writeTree, type Tree } from './tree.js';

/** An image is read once and removed, so it is kept in memory and does not wear a disk. */
const MEMORY = '/dev/shm';

knowFormatZero(storageFormat);

/**
 * Opens the store of an image, and compares it with the ledger of the notes before the cut. Then files its
 * provisional scans, and compares again.
 */
export async function judgeImage(image: Tree, ledger: Ledger): Promise<Verdict> {
  await using folder = new ScratchFolder('tallybook-image-', existsSync(MEMORY) ? MEMORY : tmpdir());
  const store = join(folder.path, STORE);
  try {
    await writeTree(folder.path, image);
    const { versions } = ledger.access;
    const broken = [...ledger.judge(await readStore(store, versions))];
    await fileProvisional(store);
    broken.push(...ledger.judge(await readStore(store, versions)));
    await requireWritable(store);
    return { broken };
  } catch (error) {
    return refusalBy(error);
  }
}
