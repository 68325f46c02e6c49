import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { TallybookError } from '@tallybook/domain';
import { formatKey } from '../rows/keys.js';
import { damagedStore } from '../level/level-errors.js';
import { isSealed } from '../rows/seal.js';
import { liveTables } from '../leveldb-files/version-edits.js';
import type { RowVersion } from '../leveldb-files/stored-rows.js';
import { TableFile } from '../leveldb-files/table-file.js';

/** Blocks, of about 4 KiB each, that are read before other work has its turn. */
const BLOCKS_AT_A_TIME = 16;
const REST_MS = 5;

type Report = (error: TallybookError) => void | Promise<void>;

/**
 * Reads all tables of a store in the background, once. LevelDB notices a damaged row only when that row is read, and sometimes
 * not even then.
 */
export class RowCheck {
  readonly #stopping = new AbortController();
  /** Resolves when all tables were read, or the check was stopped. */
  readonly done: Promise<void>;

  /**
   * @param report Called with `STORE_CORRUPT` for the first damaged rows of each file, and with `STORE_READ_FAILED` if a file
   * cannot be read for another reason.
   */
  constructor(directory: string, afterMs: number, report: Report) {
    this.done = this.#run(directory, afterMs, report);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.done;
  }

  async #run(directory: string, afterMs: number, report: Report): Promise<void> {
    try {
      await this.#rest(afterMs);
      const seen = new Set<string>();
      // Meanwhile LevelDB joins tables and does not check their rows, so the new tables are read too.
      for (;;) {
        const tables = (await liveTables(directory)).filter((file) => !seen.has(file));
        if (tables.length === 0) return;
        for (const file of tables) {
          seen.add(file);
          const reason = await this.#findDamage(join(directory, file));
          if (reason !== undefined)
            await report(damagedStore(directory, `${file}: ${reason}`, { details: { file } }));
        }
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) await report(unreadable(directory, error));
    }
  }

  async #findDamage(path: string): Promise<string | undefined> {
    const damages: string[] = [];
    try {
      await using table = await TableFile.open(path);
      let blocks = 0;
      for await (const rows of table.read((reason) => damages.push(reason))) {
        if (rows.some(isDamaged)) damages.push('a row is not what was written');
        if (damages.length > 0) break;
        if (++blocks % BLOCKS_AT_A_TIME === 0) await this.#rest(REST_MS);
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EIO') return 'the disk does not give it back';
      // LevelDB has joined the table with others meanwhile; the new table is read later.
      if (code !== 'ENOENT') throw error;
    }
    return damages[0];
  }

  /** Rejects when the check is to stop. */
  async #rest(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#stopping.signal, ref: false });
  }
}

function isDamaged({ key, value }: RowVersion): boolean {
  return value !== undefined && !key.equals(formatKey) && !isSealed(key, value);
}

function unreadable(directory: string, cause: unknown): TallybookError {
  const message = `the rows of the store ${directory} could not be checked: ${String(cause)}`;
  return new TallybookError('STORE_READ_FAILED', message, { cause, details: { path: directory } });
}
