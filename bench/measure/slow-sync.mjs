import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A library that makes every sync of a process take longer. */
export class SlowSync {
  #folder;
  #library;

  /** Compiles the library; `undefined`, with a note of the reason, if that is not possible here. */
  static async compile(note) {
    const slow = new SlowSync();
    slow.#folder = await mkdtemp(join(tmpdir(), 'tallybook-bench-sync-'));
    const library = join(slow.#folder, 'slow-sync.so');
    const source = fileURLToPath(new URL('../slow-sync.c', import.meta.url));
    const { status, error } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], {
      stdio: 'inherit',
    });
    if (status === 0) {
      slow.#library = library;
      return slow;
    }
    note(`left out: slower syncs, which need a C compiler: cc ${error?.code ?? `ended with code ${status}`}`);
    await slow.remove();
    return undefined;
  }

  /** Environment variables for the process. @param milliseconds Below 1000. */
  env(milliseconds) {
    return { LD_PRELOAD: this.#library, SLOW_SYNC_MS: String(milliseconds) };
  }

  async remove() {
    await rm(this.#folder, { recursive: true });
  }
}
