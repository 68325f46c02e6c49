import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes to standard output, no faster than it is read. If the reader closes it early, as `head` does, the rest of the pieces is
 * not produced.
 */
export async function writeOutput(
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string>,
): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), toOutput());
  } catch (error) {
    if (!isClosed(error)) throw error;
  }
}

/** Standard output as a stream that stays open at the end, and waits until each piece is taken. */
function toOutput(): Writable {
  return new Writable({
    write: (piece: Buffer, _encoding, done) => void process.stdout.write(piece, done),
  });
}

/**
 * Lets the process go on when nobody reads its output or errors any more, so that it finishes its work and closes the
 * store.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!isClosed(error)) throw error;
    });
  }
}

function isClosed(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EPIPE';
}
