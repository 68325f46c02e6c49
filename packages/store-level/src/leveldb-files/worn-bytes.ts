import { open, type FileHandle } from 'node:fs/promises';

/** Bytes that are given up around an unreadable byte of the disk: Linux reads no less at a time. */
const PIECE_BYTES = 4_096;

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

/**
 * Fills memory with the bytes of a file from an offset on. Unreadable pieces of 4 KiB of a worn disk become zeros, so that all
 * others can be saved. Rejects as the file system does for any other reason.
 *
 * @param room Must not go beyond the end of the file.
 * @returns The filled part of the memory: shorter than `room` if the file has become shorter.
 */
export async function readWornBytes(file: FileHandle, room: Buffer, offset: number): Promise<Buffer> {
  let isInPieces = false;
  for (let length = 0; length < room.length;) {
    const at = offset + length;
    const piece = isInPieces ? PIECE_BYTES - (at % PIECE_BYTES) : room.length;
    const end = Math.min(room.length, length + piece);
    try {
      const { bytesRead } = await file.read(room, length, end - length, at);
      if (bytesRead === 0) return room.subarray(0, length);
      length += bytesRead;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
      if (isInPieces) {
        room.fill(0, length, end);
        length = end;
      }
      isInPieces = true;
    }
  }
  return room;
}

/** All bytes of a file, with zeros as {@link readWornBytes} has them. */
export async function readWornFile(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { size } = await file.stat();
  return await readWornBytes(file, Buffer.alloc(size), 0);
}
