import { once } from 'node:events';
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import * as nodePty from '@lydell/node-pty';

interface Pair {
  readonly master: Duplex;
  readonly slave: Duplex;
  readonly ptsName: string;
}

interface Plugged {
  readonly master: Duplex;
  readonly ptsName: string;
  readonly descriptor: number;
}

/** The types of node-pty leave out `open`, which makes a pair of terminals without a process. */
const pty = nodePty as unknown as {
  open(options: { encoding: null }): Pair;
};

/**
 * A serial line that can be unplugged: the far end of a pseudo-terminal, and a link to the near end, as below
 * `/dev/serial/by-id`. The near end is another file each time it is plugged in.
 */
export class PluggableLine {
  readonly path: string;
  readonly #folder: string;
  #plugged: Plugged | undefined;

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'usb-reader');
  }

  static async create(): Promise<PluggableLine> {
    const line = new PluggableLine(await mkdtemp(join(tmpdir(), 'tallybook-line-')));
    await line.plug();
    return line;
  }

  async plug(): Promise<void> {
    if (this.#plugged !== undefined) return;
    const { master, slave, ptsName } = pty.open({ encoding: null });
    // A near end without an open descriptor counts as hung up.
    const descriptor = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY);
    // The stream of node-pty would consume the bytes, and leaves a descriptor open.
    slave.destroy();
    await once(slave, 'close');
    for (const other of listDescriptors(ptsName)) if (other !== descriptor) closeSync(other);
    this.#plugged = { master, ptsName, descriptor };
    symlinkSync(ptsName, this.path);
  }

  async unplug(): Promise<void> {
    if (this.#plugged === undefined) return;
    const { master, descriptor } = this.#plugged;
    this.#plugged = undefined;
    rmSync(this.path);
    master.destroy();
    await once(master, 'close');
    closeSync(descriptor);
  }

  /** Sends bytes from the far end. */
  async send(...bytes: Uint8Array[]): Promise<void> {
    const { master } = this.#require();
    await new Promise<void>((resolve, reject) => {
      master.write(Buffer.concat(bytes), (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /**
   * Blocks this process for a time. Another process sends bytes from the far end at its beginning: when this returns,
   * they have arrived, but were not read yet.
   */
  sendWhileHeldUp(bytes: Uint8Array, holdMs: number): void {
    const { master } = this.#require();
    const { fd } = (master as unknown as { readonly _handle: { readonly fd: number } })._handle;
    const octal = Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
    const script = `printf '${octal}' >&3 && sleep ${holdMs / 1_000}`;
    const { status } = spawnSync('sh', ['-c', script], { stdio: ['ignore', 'ignore', 'inherit', fd] });
    if (status !== 0) throw new Error(`sh ended with ${status}`);
  }

  /** Calls back with bytes that arrive at the far end, until it is unplugged. */
  onReceived(take: (bytes: Uint8Array) => void): void {
    this.#require().master.on('data', take);
  }

  /** Number of file descriptors of this process for the near end, without the one of this object. */
  countUsers(): number {
    return listDescriptors(this.#require().ptsName).length - 1;
  }

  async dispose(): Promise<void> {
    await this.unplug();
    await rm(this.#folder, { recursive: true });
  }

  #require(): Plugged {
    if (this.#plugged === undefined) throw new Error('the line is not plugged in');
    return this.#plugged;
  }
}

/** The file descriptors of this process that are open on a file. */
function listDescriptors(path: string): number[] {
  const isOpenOnPath = (descriptor: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    } catch {
      return false; // The descriptor with which the folder was read is gone.
    }
  };
  return readdirSync('/proc/self/fd').filter(isOpenOnPath).map(Number);
}
