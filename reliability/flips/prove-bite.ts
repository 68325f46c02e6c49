import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from '../part.js';
import { invertBit } from './flip-store.js';
import { OpenerProcess } from './opener-process.js';

/** The first bytes of a table are the head of its first block, which LevelDB does not check. */
const HEAD_BYTES = 24;

/**
 * Lets LevelDB read damaged tables that the store has not checked. Reports it if no flip ended the process: then this
 * harness would detect none.
 */
export async function proveBite(
  stores: readonly string[],
  folder: string,
): Promise<{ readonly figures: readonly Figure[]; readonly missed: readonly string[] }> {
  using process = new OpenerProcess();
  const path = join(folder, 'blind');
  let ends = 0;
  for (const store of stores) {
    const table = readdirSync(store).find((name) => name.endsWith('.ldb'));
    for (let bit = 0; table !== undefined && ends === 0 && bit < HEAD_BYTES * 8; bit++) {
      rmSync(path, { recursive: true, force: true });
      cpSync(store, path, { recursive: true });
      invertBit(join(path, table), { byte: bit >> 3, bit: bit & 7 });
      if ('signal' in (await process.open({ path, isBlind: true }))) ends++;
    }
  }
  return {
    figures: [{ what: 'processes that a signal ended without the check of the files', value: ends }],
    missed:
      ends > 0 ? [] : ['no flip ended LevelDB by a signal, although nobody looked at the tables before'],
  };
}
