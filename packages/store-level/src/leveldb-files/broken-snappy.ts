import { elementAt, sizeOf, type Element } from './snappy.js';

/*
 * Recovers parts of a damaged compressed block. The part before the damage can be decompressed from the beginning. The part after
 * the damage can be decompressed too: a block states its decompressed length, so the last element ends at that length. Where the
 * first element after the damage begins is unknown, so all places are tried.
 *
 *   compressed    | elements | damage |   elements   |
 *   decompressed  | known    | lost   |  known, and ends where the block does |
 */

/** Largest decompressed block, in bytes. LevelDB ends a block with the row that makes it longer than 4 KiB. */
const SIZE_MAX = 16_384;

/** Decompresses from the beginning to the first invalid element, which may come some bytes after the damage. */
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
 * Possible contents of the block: one for each place at which the damage may end.
 *
 * @param front The content up to the damage, and perhaps more.
 * @param after The front is right up to this offset: the damage comes after it.
 */
export function* decompressBack(
  bytes: Buffer,
  front: Buffer,
  after: number,
): Generator<Buffer, void, undefined> {
  const { size, end } = headerOf(bytes);
  for (const { at, length } of chainsToEnd(bytes, end)) {
    if (size >= length && size - length < after) continue;
    // If the stated size is too small, the size of the elements is used.
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
 * Places from which valid elements follow one another to the end of the block, with their decompressed length. A place that the
 * elements from another place reach is left out. The longest come first.
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

/** Writes an element. Bytes that it copies from before the beginning are lost. */
function write(output: Buffer, filled: number, bytes: Buffer, { data, distance, length }: Element): void {
  for (let n = 0; n < length; n++) {
    output[filled + n] = distance === 0 ? (bytes[data + n] ?? 0) : (output[filled + n - distance] ?? 0);
  }
}
