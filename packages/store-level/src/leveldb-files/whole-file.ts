import { open } from 'node:fs/promises';
import { readBytes } from './worn-bytes.js';

/**
 * All bytes of a file, in memory that is freed on disposal: in an idle process, the next garbage collection may be hours away.
 * The bytes must not be read after the disposal.
 */
export class WholeFile implements Disposable {
  readonly bytes: Buffer;
  readonly #room: ArrayBuffer;

  private constructor(room: ArrayBuffer, bytes: Buffer) {
    this.#room = room;
    this.bytes = bytes;
  }

  /** Rejects as the file system does. */
  static async read(path: string): Promise<WholeFile> {
    await using file = await open(path);
    const { size } = await file.stat();
    const room = new ArrayBuffer(size, { maxByteLength: size });
    return new WholeFile(room, await readBytes(file, Buffer.from(room, 0, size), 0));
  }

  [Symbol.dispose](): void {
    this.#room.resize(0);
  }
}
