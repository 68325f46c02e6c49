import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A disk with a cache that a power cut empties. What the machine writes is in the memory of nbdkit, and reaches the file
 * only when the machine flushes the disk.
 */
export class LossyDisk {
  #file;
  #server;

  /** @param file Path of the disk. The socket is beside it. */
  constructor(file) {
    this.#file = file;
  }

  get socket() {
    return `${this.#file}.socket`;
  }

  async plugIn() {
    const filter = ['--filter=cache', 'file', this.#file, 'cache=writeback'];
    const options = ['--foreground', '--exit-with-parent', '--unix', this.socket, ...filter];
    this.#server = spawn('nbdkit', options, { stdio: ['ignore', 'inherit', 'inherit'] });
    while (!existsSync(this.socket)) {
      if (this.#server.exitCode !== null) throw new Error(`nbdkit ended with ${this.#server.exitCode}`);
      await sleep(20);
    }
  }

  /** Loses what was not flushed. */
  async cut() {
    await this.#end('SIGKILL');
  }

  async unplug() {
    await this.#end('SIGTERM');
  }

  async #end(signal) {
    const ended = once(this.#server, 'exit');
    this.#server.kill(signal);
    await ended;
    rmSync(this.socket, { force: true });
  }
}
