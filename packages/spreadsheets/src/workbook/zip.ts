import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file in an archive. */
export interface ZipEntry {
  readonly path: string;
  readonly data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

interface Packed {
  readonly path: Buffer;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

const SIGNATURE = { file: 0x04034b50, sizes: 0x08074b50, directory: 0x02014b50, end: 0x06054b50 };
const VERSION = 20;
/** Sizes follow the data, and names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1980-01-01, the first possible date, for all files: the same table always gives the same bytes. */
const DATE = 0x21;
/** Largest number of 32 bits: 4 GiB. */
const MOST_BYTES = 0xffff_ffff;

/**
 * Packs files into an archive, one after another, in pieces. No file has to be in memory as a whole.
 *
 * @param mostBytes Maximum size of the archive and of each file in it, in bytes; default 4 GiB, the limit of its 32-bit
 * numbers.
 * @throws {RangeError} if the archive or a file would be larger.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export async function* zip(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  mostBytes: number = MOST_BYTES,
): AsyncGenerator<Uint8Array, void, undefined> {
  const packed: Packed[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const path = Buffer.from(entry.path);
    const header = fields(...long(SIGNATURE.file), ...common(), ...long(0, 0, 0), ...short(path.length, 0));
    yield Buffer.concat([header, path]);
    const sums = { crc: 0, bytes: 0, packedBytes: 0 };
    const deflate = createDeflateRaw();
    // The loop below throws an error of the pipeline, and leaving the loop ends the data.
    pipeline(counted(entry.data, sums), deflate, () => undefined);
    for await (const piece of deflate as AsyncIterable<Buffer>) {
      sums.packedBytes += piece.length;
      yield piece;
    }
    const { crc, bytes, packedBytes } = sums;
    check(mostBytes, bytes, offset + packedBytes);
    const sizes = fields(...long(SIGNATURE.sizes, crc, packedBytes, bytes));
    yield sizes;
    packed.push({ path, ...sums, offset });
    offset += header.length + path.length + packedBytes + sizes.length;
  }
  check(mostBytes, offset);
  yield directoryOf(packed, offset);
}

async function* counted(
  data: ZipEntry['data'],
  sums: { crc: number; bytes: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of data) {
    sums.crc = crc32(piece, sums.crc);
    sums.bytes += piece.length;
    yield piece;
  }
}

function directoryOf(packed: readonly Packed[], start: number): Buffer {
  const lines = packed.flatMap(({ path, crc, packedBytes, bytes, offset }) => [
    fields(
      ...[...long(SIGNATURE.directory), ...short(VERSION), ...common(), ...long(crc, packedBytes, bytes)],
      ...[...short(path.length, 0, 0, 0, 0), ...long(0, offset)],
    ),
    path,
  ]);
  const directory = Buffer.concat(lines);
  const { length } = packed;
  const end = fields(
    ...[...long(SIGNATURE.end), ...short(0, 0, length, length)],
    ...[...long(directory.length, start), ...short(0)],
  );
  return Buffer.concat([directory, end]);
}

/** A number, and its width in bytes. */
type Field = readonly [value: number, bytes: 2 | 4];

const short = (...values: readonly number[]): readonly Field[] => values.map((value) => [value, 2]);
const long = (...values: readonly number[]): readonly Field[] => values.map((value) => [value, 4]);

/** The common fields of the header of a file and of its entry in the directory: version, flags, method, time, date. */
function common(): readonly Field[] {
  return short(VERSION, FLAGS, DEFLATE, 0, DATE);
}

function fields(...all: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(all.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of all) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

function check(mostBytes: number, ...sizes: readonly number[]): void {
  if (Math.max(...sizes) > mostBytes) throw new RangeError('a workbook has at most 4 GiB: choose fewer days');
}
