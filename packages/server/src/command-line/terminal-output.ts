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

/** Milliseconds between two updates. A person could not follow faster ones. */
const EVERY_MS = 100;
/** Number of lines between two checks of the time. */
const LINES_AT_A_TIME = 256;
const TICK_MS = 1_000;

/** Goes to the beginning of the line and clears it. */
const CLEAR = '\r\u001B[K';

/**
 * A line on a terminal with the progress of a command. It is removed at the end. Without a terminal nothing is written,
 * because progress is of no use in a log or a pipe.
 */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #shownMs = -Infinity;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Passes lines on, and shows a text with their number. */
  async *count(
    lines: AsyncIterable<string>,
    describe: (count: number) => string,
  ): AsyncGenerator<string, void, undefined> {
    let count = 0;
    for await (const line of lines) {
      if (count++ % LINES_AT_A_TIME === 0) this.show(describe(count));
      yield line;
    }
  }

  /** Shows how long the work has taken so far. Resolves with the result of the work. */
  async during<T>(title: string, work: Promise<T>): Promise<T> {
    const beginMs = performance.now();
    const show = (): void => {
      this.show(`${title} (${Math.round((performance.now() - beginMs) / 1_000)} s)`);
    };
    show();
    const timer = setInterval(show, TICK_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
      this.end();
    }
  }

  /** Shows a text, unless another text was shown within the last {@link EVERY_MS}. */
  show(text: string): void {
    const nowMs = performance.now();
    if (!this.#stream.isTTY || nowMs - this.#shownMs < EVERY_MS) return;
    this.#shownMs = nowMs;
    // A wider text would take a second line.
    this.#stream.write(`${CLEAR}${text.slice(0, this.#stream.columns - 1)}`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#shownMs !== -Infinity) this.#stream.write(CLEAR);
    this.#shownMs = -Infinity;
  }
}
