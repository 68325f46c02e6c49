import { open, stat, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { findBlocks } from './find-blocks.js';
import { NumberReader } from './numbers.js';
import {
  contentOf,
  isSound,
  pairsOf,
  placeIn,
  placesIn,
  rowsOf,
  TRAILER_BYTES,
  type Place,
  type RowVersion,
} from './table-block.js';
import { WholeFile } from './whole-file.js';
import { readBytes, readWornBytes } from './worn-bytes.js';

export type { RowVersion } from './table-block.js';

/*
 * A table of LevelDB: blocks of rows, a filter, an index of the filter, an index of the blocks, and a footer that
 * says where the two indices are. Every block is followed by its compression (1 byte) and its checksum (4).
 */
const FOOTER_BYTES = 48;
const MAGIC = 0xdb4775248b80fb57n;
/** Bytes that are read at a time for the check of the blocks: reading block by block takes three times as long. */
const WINDOW_BYTES = 131_072;
/** Bytes that are read at a time for the sum of all bytes. */
const SUM_WINDOW_BYTES = 262_144;
/**
 * Largest table that {@link TableFile.load} reads in one go, in bytes. LevelDB makes tables of 2 MB, and a larger one from a full
 * log.
 */
const MOST_WHOLE_BYTES = 4 * 1_048_576;

/** A block that an index names, and a key that is equal to or after all keys of the block. */
interface IndexEntry {
  readonly key: Buffer;
  readonly place: Place;
}

/** Finds rows in damaged bytes. */
export interface Rescue {
  /**
   * Rows of a damaged block with its trailer, in the order of their keys.
   *
   * @param around Keys before and after the block, as far as they are known.
   */
  readonly rowsOfDamaged: (bytes: Buffer, around: readonly Buffer[]) => readonly RowVersion[];
  /** Rows of damaged blocks whose beginnings are not known. */
  readonly rowsOfGap: (bytes: Buffer) => readonly RowVersion[];
}

const NO_RESCUE: Rescue = { rowsOfDamaged: () => [], rowsOfGap: () => [] };

/** A table, read directly and not through LevelDB: LevelDB does not compare checksums when it reads. */
export class TableFile implements AsyncDisposable {
  readonly #source: FileHandle | WholeFile;
  readonly #size: number;
  readonly #isWorn: boolean;

  private constructor(source: FileHandle | WholeFile, size: number, isWorn = false) {
    this.#source = source;
    this.#size = size;
    this.#isWorn = isWorn;
  }

  /** Opens a table that is read piece by piece. Rejects as the file system does. */
  static async open(path: string): Promise<TableFile> {
    const file = await open(path);
    return new TableFile(file, (await file.stat()).size);
  }

  /**
   * Opens a table that is read piece by piece, with zeros for unreadable bytes of the disk. Rejects as the file system does for
   * other reasons.
   */
  static async openWorn(path: string): Promise<TableFile> {
    const file = await open(path);
    return new TableFile(file, (await file.stat()).size, true);
  }

  /**
   * Opens a table and reads it in one go unless it is large: each piece would cost a call to another thread, which takes long on
   * a busy device. Rejects as the file system does.
   */
  static async load(path: string): Promise<TableFile> {
    if ((await stat(path)).size > MOST_WHOLE_BYTES) return TableFile.open(path);
    const whole = await WholeFile.read(path);
    return new TableFile(whole, whole.bytes.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#source instanceof WholeFile) this.#source[Symbol.dispose]();
    else await this.#source.close();
  }

  /** The CRC-32 of all bytes. */
  async sum(): Promise<number> {
    const length = Math.min(this.#size, this.#isWhole ? this.#size : SUM_WINDOW_BYTES);
    const room = this.#roomFor(length);
    let sum = 0;
    for (let at = 0; at < this.#size;) {
      const bytes = await this.#bytesFrom(at, length, room);
      if (bytes.length === 0) break;
      sum = crc32(bytes, sum);
      at += bytes.length;
    }
    return sum;
  }

  /**
   * Compares all blocks with LevelDB's checksums, without checking rows.
   *
   * @param size Expected length of the table, in bytes.
   * @returns A description of the damage; `undefined` if there is none.
   */
  async findDamage(size: number): Promise<string | undefined> {
    if (this.#size !== size) return `it has ${this.#size} bytes instead of ${size}`;
    const blocks = await unlessDamaged(async () => placesIn(contentOf(await this.#indexBytes())));
    if (blocks === undefined) return 'its index is damaged';
    if (!(await this.#isFilterSound())) return 'its filter is damaged';
    const damaged = await this.#findDamagedBlock(blocks);
    return damaged === undefined ? undefined : `its block at ${damaged.offset} is damaged`;
  }

  /**
   * All rows, block by block.
   *
   * @param onDamage Called with a description of each damage, for people.
   * @param rescue Finds rows in damaged blocks. Default: rows of damaged blocks are left out.
   */
  async *read(
    onDamage: (reason: string) => void,
    rescue: Rescue = NO_RESCUE,
  ): AsyncGenerator<readonly RowVersion[], void, undefined> {
    const index = await this.#index();
    if (index === undefined) {
      onDamage('its index is damaged');
      yield* this.#search(rescue);
      return;
    }
    // All rows can be found without the filter, but LevelDB uses it.
    if (!(await this.#isFilterSound())) onDamage('its filter is damaged');
    let before: Buffer = Buffer.alloc(0);
    for (const { key, place } of index) {
      const bytes = await this.#bytesAt(place);
      if (isSound(bytes)) {
        yield rowsOf(bytes);
      } else {
        onDamage(`its block at ${place.offset} is damaged`);
        yield rescue.rowsOfDamaged(bytes, [before, key]);
      }
      before = key;
    }
  }

  /** The index of the blocks of rows; `undefined` if it, or the footer, is damaged. */
  #index(): Promise<readonly IndexEntry[] | undefined> {
    return unlessDamaged(async () => entriesIn(await this.#indexBytes()));
  }

  async #indexBytes(): Promise<Buffer> {
    return this.#soundBytesAt((await this.#places()).index);
  }

  /** Whether the filter, its index and the footer are sound. */
  async #isFilterSound(): Promise<boolean> {
    const filters = await unlessDamaged(async () => {
      const places = placesIn(contentOf(await this.#soundBytesAt((await this.#places()).filters)));
      for (const place of places) await this.#soundBytesAt(place);
      return places;
    });
    return filters !== undefined;
  }

  /** The first damaged block of rows. */
  async #findDamagedBlock(blocks: readonly Place[]): Promise<Place | undefined> {
    let window = this.#isWhole ? this.#size : WINDOW_BYTES;
    let room = this.#roomFor(window);
    let start = 0;
    let bytes: Buffer = Buffer.alloc(0);
    for (const place of blocks) {
      const { offset, length } = place;
      const end = offset + length + TRAILER_BYTES;
      if (end > this.#size) return place;
      if (offset < start || end > start + bytes.length) {
        start = offset;
        if (end - start > window) {
          window = end - start;
          room = this.#roomFor(window);
        }
        bytes = await this.#bytesFrom(start, window, room);
        if (end > start + bytes.length) return place;
      }
      if (!isSound(bytes.subarray(offset - start, end - start))) return place;
    }
    return undefined;
  }

  /** Where the two indices are. Throws a `RangeError` if the footer is damaged. */
  async #places(): Promise<{ readonly filters: Place; readonly index: Place }> {
    const footer = await this.#bytesAt({
      offset: this.#size - FOOTER_BYTES,
      length: FOOTER_BYTES - TRAILER_BYTES,
    });
    if (footer.readBigUInt64LE(FOOTER_BYTES - 8) !== MAGIC) throw new RangeError('the footer is damaged');
    const places = new NumberReader(footer);
    return { filters: placeIn(places), index: placeIn(places) };
  }

  /** The bytes of a block and its trailer. Throws a `RangeError` if they are damaged. */
  async #soundBytesAt(place: Place): Promise<Buffer> {
    const bytes = await this.#bytesAt(place);
    if (!isSound(bytes)) throw new RangeError('a block is damaged');
    return bytes;
  }

  /** The bytes of a block and its trailer. Throws a `RangeError` if the table has fewer. */
  async #bytesAt({ offset, length }: Place): Promise<Buffer> {
    const count = length + TRAILER_BYTES;
    if (offset < 0 || offset + count > this.#size) throw new RangeError('a place is outside the table');
    const bytes = await this.#bytesFrom(offset, count, this.#roomFor(count));
    if (bytes.length < count) throw new RangeError('the table has become shorter');
    return bytes;
  }

  get #isWhole(): boolean {
    return this.#source instanceof WholeFile;
  }

  /** Memory for the bytes of a read; empty if the whole table is in memory. */
  #roomFor(length: number): Buffer {
    return Buffer.alloc(this.#isWhole ? 0 : length);
  }

  /** Bytes of the table; fewer than `length` if the table ends earlier. */
  async #bytesFrom(offset: number, length: number, room: Buffer): Promise<Buffer> {
    if (this.#source instanceof WholeFile) return this.#source.bytes.subarray(offset, offset + length);
    if (this.#isWorn) return readWornBytes(this.#source, room.subarray(0, length), offset);
    return readBytes(this.#source, room.subarray(0, length), offset);
  }

  /** The rows of a table whose index is lost. */
  async *#search({ rowsOfGap }: Rescue): AsyncGenerator<readonly RowVersion[], void, undefined> {
    if (this.#size === 0) return;
    const bytes = await this.#bytesFrom(0, this.#size, this.#roomFor(this.#size));
    for (const { piece, isBlock } of findBlocks(bytes)) {
      yield isBlock ? rowsOf(piece) : rowsOfGap(piece);
    }
  }
}

/** The entries of an index block with its trailer. Throws a `RangeError` if it is no index. */
function entriesIn(bytes: Buffer): readonly IndexEntry[] {
  return [...pairsOf(contentOf(bytes))].map(([key, value]) => ({
    key,
    place: placeIn(new NumberReader(value)),
  }));
}

/** The result of `look`; `undefined` if it finds damage. Rejects as the file system does. */
async function unlessDamaged<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
