import { open, type FileHandle } from 'node:fs/promises';
import { hasChecksum } from './crc32c.js';
import { NumberReader } from './numbers.js';
import { readBytes, readWornBytes } from './read-file.js';
import { tableRowAt, toVersion, type RowVersion } from './stored-rows.js';

/*
 * A table of LevelDB: blocks of rows, a filter, an index of the filter, an index of the blocks, and a footer that says where the
 * two indices are. A block has pairs of key and value, the offsets of whole keys, and the number of these offsets. After each
 * block come its compression (1 byte) and the checksum of both (4).
 */
const FOOTER_BYTES = 48;
const MAGIC = 0xdb4775248b80fb57n;
const TRAILER_BYTES = 5;
const PLAIN = 0;
/** Bytes that are read at a time: reading block by block takes three times as long. */
const WINDOW_BYTES = 262_144;

/** Place of a block in the file. `length` does not include the trailer. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

/** A block with its trailer. */
interface Block {
  readonly place: Place;
  readonly bytes: Buffer;
}

export interface TableOptions {
  /** Whether unreadable bytes of the disk are read as zeros. Default: a read of them rejects with `EIO`. */
  readonly isWorn?: boolean;
}

/** A table, read directly and not through LevelDB: LevelDB does not compare checksums when it reads. */
export class TableFile implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #read: typeof readBytes;

  private constructor(file: FileHandle, size: number, { isWorn = false }: TableOptions) {
    this.#file = file;
    this.#size = size;
    this.#read = isWorn ? readWornBytes : readBytes;
  }

  /** Rejects as the file system does. */
  static async open(path: string, options: TableOptions = {}): Promise<TableFile> {
    const file = await open(path);
    return new TableFile(file, (await file.stat()).size, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  /**
   * Compares the whole table with LevelDB's checksums, without checking rows.
   *
   * @param size Expected length of the table, in bytes.
   * @returns A description of the damage; `undefined` if there is none.
   */
  async findDamage(size: number): Promise<string | undefined> {
    if (this.#size !== size) return `it has ${this.#size} bytes instead of ${size}`;
    const places = await this.#index();
    if (places === undefined) return 'its index is damaged';
    if (!(await this.#isFilterSound())) return 'its filter is damaged';
    for await (const blocks of this.#windows(places, Buffer.alloc(Math.min(size, WINDOW_BYTES)))) {
      for (const { place, bytes } of blocks) if (!isSound(bytes, place)) return damagedBlock(place);
    }
    return undefined;
  }

  /**
   * All rows, block by block.
   *
   * @param onDamage Called with a description of each damage, for people.
   * @param rescue Finds rows in damaged bytes: a block, or the whole table if its index is damaged. It also gets each compressed
   * block, which this program never writes. Default: they are left out.
   */
  async *read(
    onDamage: (reason: string) => void,
    rescue: (bytes: Buffer) => readonly RowVersion[] = () => [],
  ): AsyncGenerator<readonly RowVersion[], void, undefined> {
    const places = await this.#index();
    if (places === undefined) {
      onDamage('its index is damaged');
      yield rescue(await this.#read(this.#file, Buffer.alloc(this.#size), 0));
      return;
    }
    // All rows can be found without the filter, but LevelDB uses it.
    if (!(await this.#isFilterSound())) onDamage('its filter is damaged');
    for await (const blocks of this.#windows(places)) {
      for (const { place, bytes } of blocks) {
        const isRight = isSound(bytes, place);
        if (!isRight) onDamage(damagedBlock(place));
        yield isRight && bytes[place.length] === PLAIN ? rowsOf(bytes) : rescue(bytes);
      }
    }
  }

  /**
   * The blocks at these places, as many at a time as one read gives.
   *
   * @param room Memory for all reads: then blocks are valid until the next ones. Default: each read has its own.
   */
  async *#windows(
    places: readonly Place[],
    room?: Buffer,
  ): AsyncGenerator<readonly Block[], void, undefined> {
    for (let next = 0; next < places.length;) {
      const start = places[next]?.offset ?? 0;
      let end = start;
      const those: Place[] = [];
      for (let place = places[next]; place !== undefined; place = places[++next]) {
        const placeEnd = place.offset + place.length + TRAILER_BYTES;
        if (those.length > 0 && (place.offset < start || placeEnd > start + WINDOW_BYTES)) break;
        those.push(place);
        end = Math.max(end, placeEnd);
      }
      const length = Math.max(0, Math.min(end, this.#size) - start);
      const memory = room !== undefined && length <= room.length ? room.subarray(0, length) : undefined;
      const window = await this.#read(this.#file, memory ?? Buffer.alloc(length), start);
      yield those.map((place) => ({ place, bytes: blockIn(window, place, start) }));
    }
  }

  /** The places of the blocks of rows; `undefined` if the index, or the footer, is damaged. */
  #index(): Promise<readonly Place[] | undefined> {
    return unlessDamaged(async () => placesIn(await this.#soundBytesAt((await this.#indices()).rows)));
  }

  /** Whether the filter, its index and the footer are sound. */
  async #isFilterSound(): Promise<boolean> {
    const filters = await unlessDamaged(async () => {
      const places = placesIn(await this.#soundBytesAt((await this.#indices()).filters));
      for (const place of places) await this.#soundBytesAt(place);
      return places;
    });
    return filters !== undefined;
  }

  /** Where the two indices are. Throws a `RangeError` if the footer is damaged. */
  async #indices(): Promise<{ readonly filters: Place; readonly rows: Place }> {
    const footer = await this.#bytesAt(this.#size - FOOTER_BYTES, FOOTER_BYTES);
    if (footer.readBigUInt64LE(FOOTER_BYTES - 8) !== MAGIC) throw new RangeError('the footer is damaged');
    const places = new NumberReader(footer);
    return { filters: placeIn(places), rows: placeIn(places) };
  }

  /** The bytes of a block and its trailer. Throws a `RangeError` if they are damaged. */
  async #soundBytesAt({ offset, length }: Place): Promise<Buffer> {
    const bytes = await this.#bytesAt(offset, length + TRAILER_BYTES);
    if (!isSound(bytes, { length })) throw new RangeError('a block is damaged');
    return bytes;
  }

  /** Throws a `RangeError` if the table has fewer bytes. */
  async #bytesAt(offset: number, length: number): Promise<Buffer> {
    if (offset < 0 || offset + length > this.#size) throw new RangeError('a place is outside the table');
    const bytes = await this.#read(this.#file, Buffer.alloc(length), offset);
    if (bytes.length < length) throw new RangeError('the table has become shorter');
    return bytes;
  }
}

function damagedBlock({ offset }: Place): string {
  return `its block at ${offset} is damaged`;
}

/** A block with its trailer, in some bytes of the table; fewer bytes if the table ends earlier. */
function blockIn(window: Buffer, { offset, length }: Place, start: number): Buffer {
  return window.subarray(offset - start, offset - start + length + TRAILER_BYTES);
}

/** Whether a block, with its trailer, is complete and has the right checksum. */
function isSound(bytes: Buffer, { length }: Pick<Place, 'length'>): boolean {
  return (
    bytes.length === length + TRAILER_BYTES &&
    hasChecksum(bytes, 0, length + 1, bytes.readUInt32LE(length + 1))
  );
}

/** The rows of a sound block. */
function rowsOf(bytes: Buffer): readonly RowVersion[] {
  const block = pairsIn(bytes);
  const rows: RowVersion[] = [];
  let row = tableRowAt(block, 0);
  for (; row !== undefined; row = tableRowAt(block, row.end)) rows.push(toVersion(row));
  return rows;
}

/** The places that an index names, in its order. Throws at the first invalid pair of key and place. */
function placesIn(bytes: Buffer): readonly Place[] {
  const places: Place[] = [];
  const pairs = new NumberReader(pairsIn(bytes));
  while (!pairs.isAtEnd) {
    const [, keyLength, placeLength] = [pairs.next(), pairs.next(), pairs.next()];
    pairs.skip(keyLength);
    const end = pairs.offset + placeLength;
    places.push(placeIn(pairs));
    if (pairs.offset !== end) throw new RangeError('a place is longer or shorter than it says');
  }
  return places;
}

/** The pairs of key and value in a block with its trailer. */
function pairsIn(bytes: Buffer): Buffer {
  const block = bytes.subarray(0, -TRAILER_BYTES);
  return block.subarray(0, block.length - 4 - 4 * block.readUInt32LE(block.length - 4));
}

function placeIn(numbers: NumberReader): Place {
  return { offset: numbers.next(), length: numbers.next() };
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
