import { elementAt, sizeOf, type Element } from './snappy.js';

/*
 * Recovers parts of a damaged compressed block. From its beginning it can be decompressed up to the damage. The part after the
 * damage can be too: a block states its decompressed length, so the last elements end at that length. The first element after the
 * damage is not known: all places are tried.
 *
 *   compressed    | elements | damage |   elements   |
 *   decompressed  | known    | lost   |  known, and ends where the block does |
 */

/** Bytes that a block may hold decompressed: LevelDB ends one with the row that makes it longer than 4 KiB. */
const SIZE_MAX = 16_384;

/** Decompresses from the beginning, as far as it makes sense: somewhere after the damage it no longer does. */
export function decompressFront(bytes: Buffer): Buffer {
  const { size, end } = headerOf(bytes);
  const output = Buffer.alloc(size);
  let filled = 0;
  for (let at = end; at < bytes.length;) {
    const element = elementAt(bytes, at);
    if (element === undefined || element.distance > filled || filled + element.length > size) break;
    write(output, filled, bytes, element);
    filled += element.length;
    at = element.end;
  }
  return output.subarray(0, filled);
}

/**
 * Possible contents of the block, for one place after another at which the damage may end.
 *
 * @param front The content up to the damage, and perhaps more.
 * @param after The front is certain up to here: the damage comes after it.
 */
export function* decompressBack(
  bytes: Buffer,
  front: Buffer,
  after: number,
): Generator<Buffer, void, undefined> {
  const { size, end } = headerOf(bytes);
  for (const { at, length } of chainsToEnd(bytes, end)) {
    if (size >= length && size - length < after) continue;
    // If its size makes no sense, only the elements count.
    const output = Buffer.alloc(Math.max(size, length));
    let filled = output.length - length;
    front.copy(output, 0, 0, Math.min(filled, front.length));
    for (let next = at; next < bytes.length;) {
      const element = elementAt(bytes, next);
      if (element === undefined) break;
      write(output, filled, bytes, element);
      filled += element.length;
      next = element.end;
    }
    yield output;
  }
}

function headerOf(bytes: Buffer): { readonly size: number; readonly end: number } {
  const header = sizeOf(bytes);
  return { size: header !== undefined && header.size <= SIZE_MAX ? header.size : 0, end: header?.end ?? 0 };
}

/**
 * Places from which elements follow one another to the end of the block, with the length that they decompress to. A place that
 * follows from another one is left out. The longest come first.
 */
function chainsToEnd(bytes: Buffer, start: number): readonly { at: number; length: number }[] {
  const lengths = new Map<number, number>([[bytes.length, 0]]);
  const reached = new Set<number>();
  for (let at = bytes.length - 1; at >= start; at--) {
    const element = elementAt(bytes, at);
    const rest = element === undefined ? undefined : lengths.get(element.end);
    if (element === undefined || rest === undefined || rest + element.length > SIZE_MAX) continue;
    lengths.set(at, rest + element.length);
    reached.add(element.end);
  }
  return [...lengths]
    .filter(([at]) => at < bytes.length && !reached.has(at))
    .map(([at, length]) => ({ at, length }))
    .sort((a, b) => b.length - a.length);
}

/** Writes an element. Bytes that it would copy from before the beginning are lost. */
function write(output: Buffer, filled: number, bytes: Buffer, { data, distance, length }: Element): void {
  for (let n = 0; n < length; n++) {
    output[filled + n] = distance === 0 ? (bytes[data + n] ?? 0) : (output[filled + n - distance] ?? 0);
  }
}
