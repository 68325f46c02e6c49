import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes to standard output, no faster than it is taken. Who reads the beginning only, as `head` does, closes it: then the rest is
 * not read.
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

/** What stays open when it ends, and hears at each piece whether it was taken. */
function toOutput(): Writable {
  return new Writable({
    write: (piece: Buffer, _encoding, done) => void process.stdout.write(piece, done),
  });
}

/** Lets the process go on when who reads its output or its errors does so no longer: it ends what is under way, and the store. */
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
