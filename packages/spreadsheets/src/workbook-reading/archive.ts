import { setImmediate } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { Unzip, UnzipInflate } from 'fflate';

/** A workbook that cannot be read, and the reason in words. */
export class UnreadableWorkbook extends Error {}

export const DAMAGED = 'the file is damaged, or not a workbook; save it again as XLSX, or the table as CSV';

/** Packed bytes that are unpacked in one turn: at most half a megabyte of text, and usually much less. */
const PIECE_BYTES = 512;
/** Unpacked bytes that are given away in one turn. */
const SLICE_BYTES = 16_384;
const MAX_FILES = 1_000;
/** All that is unpacked of an archive: a table of 20,000 rows has half of it. */
const MAX_UNPACKED_BYTES = 16_777_216;

/** The files of an untrusted archive, of which only what is asked for is unpacked, up to {@link MAX_UNPACKED_BYTES}. */
export class Archive {
  readonly #bytes: Uint8Array;
  #bytesLeft = MAX_UNPACKED_BYTES;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The paths of the files, in small letters. Throws an {@link UnreadableWorkbook}. */
  paths(): readonly string[] {
    const paths: string[] = [];
    const scan = new Unzip(({ name }) => {
      if (paths.push(comparable(name)) > MAX_FILES) throw new UnreadableWorkbook(TOO_MANY);
    });
    orDamaged(() => scan.push(this.#bytes, true));
    return paths;
  }

  /**
   * The text of a file, in pieces; nothing if there is no such file. Throws an {@link UnreadableWorkbook}. Other work has its
   * turn between two pieces.
   */
  async *read(path: string): AsyncGenerator<string, void, undefined> {
    const wanted = comparable(path);
    const pieces: Uint8Array[] = [];
    let state: 'before' | 'within' | 'after' = 'before';
    const unzip = new Unzip((file) => {
      if (state !== 'before' || comparable(file.name) !== wanted) return;
      state = 'within';
      file.ondata = (error, piece, isLast) => {
        if (error !== null) throw error;
        pieces.push(piece);
        if (isLast) state = 'after';
      };
      file.start();
    });
    unzip.register(UnzipInflate);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (let at = 0; at < this.#bytes.length && (state as string) !== 'after'; at += PIECE_BYTES) {
      const isLast = at + PIECE_BYTES >= this.#bytes.length;
      orDamaged(() => unzip.push(this.#bytes.subarray(at, at + PIECE_BYTES), isLast));
      for (const piece of pieces.splice(0)) yield* this.#textOf(piece, decoder);
    }
    // The end of a text, which may be within a letter.
    orDamaged(() => decoder.decode());
  }

  async *#textOf(piece: Uint8Array, decoder: TextDecoder): AsyncGenerator<string, void, undefined> {
    this.#bytesLeft -= piece.length;
    if (this.#bytesLeft < 0)
      throw new UnreadableWorkbook(
        `the workbook has more than ${MAX_UNPACKED_BYTES} bytes when unpacked; save the table as CSV`,
      );
    for (let at = 0; at < piece.length; at += SLICE_BYTES) {
      const slice = piece.subarray(at, at + SLICE_BYTES);
      yield orDamaged(() => decoder.decode(slice, { stream: true }));
      await setImmediate();
    }
  }
}

const TOO_MANY = `the workbook has more than ${MAX_FILES} files in it; save the table as CSV`;

/** Some programs write the paths of Windows, or other letters in the file than in its relations. */
function comparable(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

/** What a library throws means that the file is damaged. */
function orDamaged<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof UnreadableWorkbook ? cause : new UnreadableWorkbook(DAMAGED, { cause });
  }
}
