import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const BYTES = 512 * 1_048_576;
const SECTOR_BYTES = 512;

/**
 * A separate disk with ext4 as `mkfs.ext4` makes it: the file system of a Raspberry Pi's card. It is a file. The kernel
 * counts the bytes that are written to it, including the journal of the file system.
 */
export class Card {
  static #mounted = new Set();
  /** Its mount point. */
  path;
  #folder;
  #device;

  /** Makes and mounts a disk; `undefined`, with a note of the reason, if that is not possible here. */
  static async mount(note) {
    const card = new Card();
    card.#folder = await mkdtemp(join(tmpdir(), 'tallybook-bench-card-'));
    card.path = join(card.#folder, 'mounted');
    const image = join(card.#folder, 'image');
    await mkdir(card.path);
    await writeFile(image, '');
    await truncate(image, BYTES);
    for (const [program, ...args] of [
      ['mkfs.ext4', '-q', '-F', '-b', '4096', image],
      ['mount', '-o', 'loop', image, card.path],
    ]) {
      const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
      if (status === 0) continue;
      note(
        `left out: what a card gets, for which a disk of its own has to be mounted: ${program} ${error?.code ?? `ended with code ${status}`}`,
      );
      await rm(card.#folder, { recursive: true });
      return undefined;
    }
    Card.#mounted.add(card);
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '));
    card.#device = basename(mounts.find(([, path]) => path === card.path)[0]);
    return card;
  }

  static {
    // Before its folder is removed.
    process.prependOnceListener('exit', () => {
      for (const card of Card.#mounted) card.#unmount();
    });
  }

  /** Bytes that were written to the disk so far. */
  get writtenBytes() {
    return this.#counters()[6] * SECTOR_BYTES;
  }

  /** Number of flushes: commands to the disk to make its cache durable. */
  get flushes() {
    return this.#counters()[15];
  }

  async remove() {
    this.#unmount();
    await rm(this.#folder, { recursive: true });
  }

  #unmount() {
    Card.#mounted.delete(this);
    // A peer that was just killed may still have open files on it.
    spawnSync('umount', ['--lazy', this.path], { stdio: 'inherit' });
  }

  /**
   * See `Documentation/admin-guide/iostats.rst` of Linux. Its first counter has the index 0 here. Flushes are counted since
   * Linux 5.5.
   */
  #counters() {
    const lines = readFileSync('/proc/diskstats', 'utf8').split('\n');
    const fields = lines.map((line) => line.trim().split(/\s+/));
    const [, , , ...counters] = fields.find(([, , device]) => device === this.#device);
    return counters.map(Number);
  }
}
