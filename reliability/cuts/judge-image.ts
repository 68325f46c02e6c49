import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '../ledger/ledger.js';
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
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tallybook-image-'));
  try {
    await writeTree(folder, image);
    const { versions } = ledger.access;
    const broken = [...ledger.judge(await readStore(join(folder, STORE), versions))];
    await fileProvisional(join(folder, STORE));
    broken.push(...ledger.judge(await readStore(join(folder, STORE), versions)));
    await requireWritable(join(folder, STORE));
    return { broken };
  } catch (error) {
    return refusalBy(error);
  } finally {
    await rm(folder, { recursive: true });
  }
}
