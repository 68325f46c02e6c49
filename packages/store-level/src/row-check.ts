import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { TallybookError } from '@tallybook/domain';
import { formatKey } from './keys.js';
import { isSealed } from './seal.js';
import { TableFile, type RowVersion } from './table-file.js';

/** After so many blocks, of about 4 KiB, others have their turn. */
const BLOCKS_AT_A_TIME = 16;
const REST_MS = 5;

/**
 * Reads all tables of a store in the background, once, because LevelDB finds out about a damaged row only when it is
 * asked for, and sometimes not even then.
 */
export class RowCheck {
  readonly #stopping = new AbortController();
  /** Resolves when everything was read, or the check was stopped. */
  readonly done: Promise<void>;

  /** @param report Is told of the first damaged rows of each file, as `STORE_CORRUPT`. */
  constructor(directory: string, afterMs: number, report: (error: TallybookError) => void) {
    this.done = this.#run(directory, afterMs, report);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.done;
  }

  async #run(directory: string, afterMs: number, report: (error: TallybookError) => void): Promise<void> {
    try {
      await this.#rest(afterMs);
      // What comes later was written by this process.
      for (const file of (await readdir(directory)).filter((name) => /\.(?:ldb|sst)$/.test(name))) {
        const reason = await this.#findDamage(join(directory, file));
        if (reason !== undefined) report(damaged(directory, file, reason));
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) report(damaged(directory, 'a table', String(error)));
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
      // LevelDB has joined the table with others since.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
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

function damaged(directory: string, file: string, reason: string): TallybookError {
  return new TallybookError(
    'STORE_CORRUPT',
    `rows in ${join(directory, file)} are damaged: ${reason}; stop the service, and \`tallybook repair\` saves the others`,
    { details: { path: directory, file } },
  );
}
