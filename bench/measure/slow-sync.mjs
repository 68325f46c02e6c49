import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A library that makes every sync of a process take 10 ms longer. */
export class SlowSync {
  /** For the environment of the process. */
  env;
  #folder;

  /** Compiles the library; `undefined`, with a note that says why, if that is not possible here. */
  static async compile(note) {
    const slow = new SlowSync();
    slow.#folder = await mkdtemp(join(tmpdir(), 'tallybook-bench-sync-'));
    const library = join(slow.#folder, 'slow-sync.so');
    const source = fileURLToPath(new URL('../slow-sync.c', import.meta.url));
    const { status, error } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], {
      stdio: 'inherit',
    });
    if (status === 0) {
      slow.env = { LD_PRELOAD: library };
      return slow;
    }
    note(
      `left out: sync of 10 ms, which needs a C compiler: cc ${error?.code ?? `ended with code ${status}`}`,
    );
    await slow.remove();
    return undefined;
  }

  async remove() {
    await rm(this.#folder, { recursive: true });
  }
}
