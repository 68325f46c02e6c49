import { chmodSync, chownSync, existsSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { PluggableLine } from '../../packages/readers/test/serial/pluggable-line.js';
import type { Chroot } from './chroot.js';

const PLACE = 'dev/ttyUSB0';

/** A reader with a serial line at `/dev/ttyUSB0` of a root, which sends a line of hex for each tag. */
export class SerialReader {
  static readonly setting = 'reader = ["serial:/dev/ttyUSB0?protocol=lines&name=door"]';
  readonly #line: PluggableLine;

  private constructor(line: PluggableLine) {
    this.#line = line;
  }

  /** Its group is `dialout`, as Debian does it. */
  static async plugInto(root: Chroot): Promise<SerialReader> {
    const line = await PluggableLine.create();
    const near = readlinkSync(line.path);
    const [, group] = /^dialout:[^:]*:(\d+)/m.exec(root.read('etc/group')) ?? [];
    chownSync(near, 0, Number(group));
    chmodSync(near, 0o660);
    if (existsSync(root.path(PLACE))) rmSync(root.path(PLACE));
    symlinkSync(near, root.path(PLACE));
    return new SerialReader(line);
  }

  async tap(id: string): Promise<void> {
    await this.#line.send(Buffer.from(`${id}\r\n`));
  }

  async dispose(): Promise<void> {
    await this.#line.dispose();
  }
}
