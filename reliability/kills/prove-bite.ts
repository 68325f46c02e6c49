import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../random.js';
import { KilledStore } from './killed-store.js';

/** More kills than a broken promise needs to show. */
const ATTEMPTS = 5;

/** Breaks the promise on purpose, and says which breaches were not found. */
export async function proveBite(
  folder: string,
  random: Random,
): Promise<{ readonly found: number; readonly missed: readonly string[] }> {
  const missed: string[] = [];
  const early = new KilledStore(join(folder, 'early'), { FAULT: 'early' });
  if (!(await findsFault(early, random, async () => undefined))) {
    missed.push('a service that acknowledges before it writes was not found');
  }
  const truncated = new KilledStore(join(folder, 'truncated'));
  if (!(await findsFault(truncated, random, () => truncateLog(truncated.path)))) {
    missed.push('a log of LevelDB that lost its second half was not found');
  }
  return { found: 2 - missed.length, missed };
}

async function findsFault(store: KilledStore, random: Random, damage: () => Promise<void>): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if ((await store.killUnderLoad(random.fork())).length > 0) return true;
    await damage();
    if ((await store.judge()).length > 0) return true;
  }
  return false;
}

async function truncateLog(store: string): Promise<void> {
  const logs = (await readdir(store)).filter((file) => file.endsWith('.log'));
  for (const log of logs) {
    const path = join(store, log);
    await truncate(path, Math.floor((await stat(path)).size / 2));
  }
}
