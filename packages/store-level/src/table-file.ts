import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { findChecksum, hasChecksum } from './crc32c.js';
import { NumberReader } from './numbers.js';
import { decompressSnappy } from './snappy.js';

/*
 * A table of LevelDB: blocks of rows, a filter, an index of the filter, an index of the blocks, and a footer that
 * says where the two indices are. Every block is followed by its compression (1 byte) and its checksum (4).
 */
const FOOTER_BYTES = 48;
const MAGIC = 0xdb4775248b80fb57n;
const TRAILER_BYTES = 5;
const CHECKSUM_BYTES = 4;
const SNAPPY = 1;
/** Longest block that is looked for without an index: a block ends with the row with which it exceeds 4 KiB. */
const LOST_BLOCK_BYTES_MAX = 6_144;
/** How far the next block is looked for without an index. */
const GAP_BYTES_MAX = 16_384;
/** What LevelDB adds to a key: one byte whether the row was put or deleted, and seven of sequence number. */
const SUFFIX_BYTES = 8;
const DELETED = 0;
/** How much is read at a time to check it: block by block takes three times as long. */
const WINDOW_BYTES = 131_072;
/** How much is read at a time for the sum of all bytes. */
const SUM_WINDOW_BYTES = 1_048_576;
/** The only key of the index of the filter. */
const FILTER_KEY = 'filter.leveldb.';

/** A state of a row: the one with the largest `sequence` is the newest. */
export interface RowVersion {
  readonly key: Buffer;
  /** `undefined` if the row was deleted. */
  readonly value: Buffer | undefined;
  readonly sequence: number;
  /** Whether the checksum of LevelDB around it is wrong. */
  readonly isDoubtful: boolean;
}

/** Where a block lies: `length` is without its trailer. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

/** A table, read directly and not through LevelDB, which does not check the checksums of what it reads. */
export class TableFile implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #size: number;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** Rejects as the file system does. */
  static async open(path: string): Promise<TableFile> {
    const file = await open(path);
    return new TableFile(file, (await file.stat()).size);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  /** The CRC-32 of all bytes. */
  async sum(): Promise<number> {
    const room = Buffer.alloc(Math.min(this.#size, SUM_WINDOW_BYTES));
    let sum = 0;
    for (let at = 0; at < this.#size;) {
      const bytes = await this.#bytesFrom(at, room);
      if (bytes.length === 0) break;
      sum = crc32(bytes, sum);
      at += bytes.length;
    }
    return sum;
  }

  /**
   * Compares all that LevelDB reads with its checksums, block by block, and looks at no row.
   *
   * @param size How many bytes there should be.
   * @returns What is wrong, `undefined` if nothing is.
   */
  async findDamage(size: number): Promise<string | undefined> {
    if (this.#size !== size) return `it has ${this.#size} bytes instead of ${size}`;
    const index = await this.#places();
    if (index === undefined) return 'its index is damaged';
    const damaged = await this.#findDamagedBlock(index);
    return damaged === undefined ? undefined : `its block at ${damaged.offset} is damaged`;
  }

  /**
   * All rows, block by block, also what can be made out of damaged ones.
   *
   * @param onDamage Is told where.
   */
  async *read(onDamage: (reason: string) => void): AsyncGenerator<readonly RowVersion[], void, undefined> {
    const index = await this.#places();
    if (index === undefined) {
      onDamage('its index is damaged');
      yield* this.#search();
      return;
    }
    for (const place of index) {
      const bytes = await this.#bytesAt(place);
      const block = blockIn(bytes, 0, place.length);
      if (block === undefined) onDamage(`its block at ${place.offset} is damaged`);
      yield rowsOf(block ?? contentOf(bytes, 0, place.length), block === undefined);
    }
  }

  /** Where the blocks of rows lie, `undefined` if what says so is damaged. */
  #places(): Promise<readonly Place[] | undefined> {
    return unlessDamaged(async () => placesIn(await this.#soundIndex()));
  }

  /** The first block of rows that is not what was written. */
  async #findDamagedBlock(places: readonly Place[]): Promise<Place | undefined> {
    let room = Buffer.alloc(WINDOW_BYTES);
    let start = 0;
    let bytes: Buffer = room.subarray(0, 0);
    for (const place of places) {
      const { offset, length } = place;
      const end = offset + length + TRAILER_BYTES;
      if (end > this.#size) return place;
      if (offset < start || end > start + bytes.length) {
        start = offset;
        if (end - start > room.length) room = Buffer.alloc(end - start);
        bytes = await this.#bytesFrom(start, room);
        if (end > start + bytes.length) return place;
      }
      if (!isSound(bytes, offset - start, length)) return place;
    }
    return undefined;
  }

  /**
   * The block of the index with its trailer, unread: a right checksum is enough to know that LevelDB finds all rows.
   *
   * @throws {RangeError} if it is not what was written, or the filter is not.
   */
  async #soundIndex(): Promise<Buffer> {
    const footer = await this.#bytesAt({
      offset: this.#size - FOOTER_BYTES,
      length: FOOTER_BYTES - TRAILER_BYTES,
    });
    if (footer.readBigUInt64LE(FOOTER_BYTES - 8) !== MAGIC) throw new RangeError('the footer is damaged');
    const places = new NumberReader(footer);
    for (const filter of placesIn(await this.#soundBytesAt(nextPlace(places))))
      await this.#soundBytesAt(filter);
    return this.#soundBytesAt(nextPlace(places));
  }

  /** The bytes of a block and its trailer. Throws a `RangeError` if they are not what was written. */
  async #soundBytesAt(place: Place): Promise<Buffer> {
    const bytes = await this.#bytesAt(place);
    if (!isSound(bytes, 0, place.length)) throw new RangeError('a block is damaged');
    return bytes;
  }

  /** The bytes of a block and its trailer. Throws a `RangeError` if there are not so many. */
  async #bytesAt({ offset, length }: Place): Promise<Buffer> {
    const count = length + TRAILER_BYTES;
    if (offset < 0 || offset + count > this.#size) throw new RangeError('a place is outside the table');
    const bytes = await this.#bytesFrom(offset, Buffer.alloc(count));
    if (bytes.length < count) throw new RangeError('the table has become shorter');
    return bytes;
  }

  /** As many bytes of the table as there is room for, fewer if it ends before. */
  async #bytesFrom(offset: number, room: Buffer): Promise<Buffer> {
    const { bytesRead } = await this.#file.read(room, 0, room.length, offset);
    return room.subarray(0, bytesRead);
  }

  /** The rows of a table whose index is lost: a block ends where the checksum of what came before it is. */
  async *#search(): AsyncGenerator<readonly RowVersion[], void, undefined> {
    if (this.#size < FOOTER_BYTES) return;
    const bytes = await this.#bytesAt({ offset: 0, length: this.#size - TRAILER_BYTES });
    let offset = 0;
    for (let gap = 0; gap < GAP_BYTES_MAX && offset < bytes.length;) {
      // A block begins with its length, or with a key that shares nothing with another one and is not empty.
      const canBegin = bytes[offset] !== 0 || bytes[offset + 1] !== 0;
      const end = canBegin ? findChecksum(bytes, offset, offset + LOST_BLOCK_BYTES_MAX) : undefined;
      if (end === undefined) {
        gap++;
        offset++;
        continue;
      }
      const block = blockIn(bytes, offset, end - 1 - offset);
      // Here the rows end.
      if (block?.includes(FILTER_KEY) === true) return;
      yield rowsOf(block, false);
      gap = 0;
      offset = end + CHECKSUM_BYTES;
    }
  }
}

function nextPlace(numbers: NumberReader): Place {
  return { offset: numbers.next(), length: numbers.next() };
}

/** The places that the rows of a block say, which has its trailer. Throws a `RangeError` if they make no sense. */
function placesIn(bytes: Buffer): readonly Place[] {
  const block = contentOf(bytes, 0, bytes.length - TRAILER_BYTES);
  if (block === undefined) throw new RangeError('an index cannot be decompressed');
  return [...pairsOf(block)].map(([, value]) => nextPlace(new NumberReader(value)));
}

/** What a look at a table gives, `undefined` if it comes upon damage. Rejects as the file system does. */
async function unlessDamaged<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a block is what was written. */
function isSound(bytes: Buffer, offset: number, length: number): boolean {
  const end = offset + length;
  return hasChecksum(bytes, offset, end + 1, bytes.readUInt32LE(end + 1));
}

/** The content of a block, `undefined` if it is not what was written. */
function blockIn(bytes: Buffer, offset: number, length: number): Buffer | undefined {
  return isSound(bytes, offset, length) ? contentOf(bytes, offset, length) : undefined;
}

/** The content of a block, whatever its checksum says; `undefined` if it cannot be decompressed. */
function contentOf(bytes: Buffer, offset: number, length: number): Buffer | undefined {
  const content = bytes.subarray(offset, offset + length);
  if (bytes[offset + length] !== SNAPPY) return content;
  try {
    return decompressSnappy(content);
  } catch {
    return undefined;
  }
}

/** The rows of a block; where it does not go on as a block of rows, they end. */
function rowsOf(block: Buffer | undefined, isDoubtful: boolean): readonly RowVersion[] {
  const rows: RowVersion[] = [];
  try {
    for (const [suffixed, value] of pairsOf(block ?? Buffer.alloc(0))) {
      const keyLength = suffixed.length - SUFFIX_BYTES;
      const kind = suffixed.readUInt8(keyLength);
      const sequence = suffixed.readUIntLE(keyLength + 1, 6);
      const key = suffixed.subarray(0, keyLength);
      rows.push({ key, value: kind === DELETED ? undefined : value, sequence, isDoubtful });
    }
  } catch {
    // What came before is as good as it was.
  }
  return rows;
}

/** What a block holds: keys share their beginning with the one before. Throws where it is no block of pairs. */
function* pairsOf(block: Buffer): Generator<readonly [Buffer, Buffer]> {
  const restarts = block.readUInt32LE(block.length - 4);
  const pairs = new NumberReader(block.subarray(0, block.length - 4 - 4 * restarts));
  let key: Buffer = Buffer.alloc(0);
  while (!pairs.isAtEnd) {
    const [shared, keyLength, valueLength] = [pairs.next(), pairs.next(), pairs.next()];
    key = Buffer.concat([key.subarray(0, shared), pairs.take(keyLength)]);
    yield [key, pairs.take(valueLength)];
  }
}
