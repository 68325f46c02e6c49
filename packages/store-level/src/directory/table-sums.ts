import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of the file. */
export const SUMS_FILE = 'VERIFIED';

/**
 * The sums of sound tables, in a file of the store: every block of these tables was compared with its checksum. LevelDB never
 * changes a table, so a table with the same sum is still sound. Node computes such a sum thirty times as fast as the checksums of
 * the blocks.
 *
 * The file needs no checksum and no sync: a damaged line matches no table, so the blocks of that table are compared again.
 */
export class TableSums {
  readonly #path: string;
  readonly #known: ReadonlySet<string>;
  readonly #sound = new Set<string>();

  private constructor(path: string, known: ReadonlySet<string>) {
    this.#path = path;
    this.#known = known;
  }

  /** Reads the sums of earlier starts; none if the file is missing or cannot be read. */
  static async read(directory: string): Promise<TableSums> {
    const path = join(directory, SUMS_FILE);
    const text = await readFile(path, 'latin1').catch(() => '');
    return new TableSums(path, new Set(text.split('\n')));
  }

  /** Whether a table is unchanged since it was found sound. If so, its sum is noted again. */
  isKnown(file: string, size: number, sum: number): boolean {
    const line = lineOf(file, size, sum);
    const isKnown = this.#known.has(line);
    if (isKnown) this.#sound.add(line);
    return isKnown;
  }

  /** Notes a table that was found sound. */
  add(file: string, size: number, sum: number): void {
    this.#sound.add(lineOf(file, size, sum));
  }

  /** Writes all noted sums, if they differ from those in the file. */
  async write(): Promise<void> {
    const lines = [...this.#sound].sort();
    if (lines.every((line) => this.#known.has(line))) return;
    // If this fails, the next start compares all blocks again.
    await writeFile(this.#path, `${lines.join('\n')}\n`, { mode: 0o600 }).catch(() => undefined);
  }
}

function lineOf(file: string, size: number, sum: number): string {
  return `${file} ${size} ${sum.toString(16).padStart(8, '0')}`;
}
