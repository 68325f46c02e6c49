import { open, type FileHandle } from 'node:fs/promises';

/** Bytes that are given up around an unreadable byte of the disk: Linux reads no less at a time. */
const PIECE_BYTES = 4_096;

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

/**
 * Fills memory with the bytes of a file from an offset on. Rejects as the file system does. A read that stops before an
 * unreadable byte looks like the end of the file, so it is followed by another attempt, which rejects.
 *
 * @returns The filled part of the memory: shorter than `room` if the file ends earlier.
 */
export async function readBytes(file: FileHandle, room: Buffer, offset: number): Promise<Buffer> {
  let length = 0;
  for (let count = -1; count !== 0 && length < room.length; length += count) {
    count = (await file.read(room, length, room.length - length, offset + length)).bytesRead;
  }
  return room.subarray(0, length);
}

/** Fills memory like {@link readBytes}. Pieces of 4 KiB that a worn disk does not give back become zeros. */
export async function readWornBytes(file: FileHandle, room: Buffer, offset: number): Promise<Buffer> {
  try {
    return await readBytes(file, room, offset);
  } catch (error) {
    requireWorn(error);
  }
  for (let at = 0; at < room.length;) {
    const end = Math.min(room.length, at + PIECE_BYTES - ((offset + at) % PIECE_BYTES));
    const piece = room.subarray(at, end);
    try {
      if ((await readBytes(file, piece, offset + at)).length < piece.length) piece.fill(0);
    } catch (error) {
      requireWorn(error);
      piece.fill(0);
    }
    at = end;
  }
  return room;
}

/** All bytes of a file, with zeros as {@link readWornBytes} has them. */
export async function readWornFile(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { size } = await file.stat();
  return await readWornBytes(file, Buffer.alloc(size), 0);
}

/** Throws every error except that of a worn disk. */
function requireWorn(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
}
