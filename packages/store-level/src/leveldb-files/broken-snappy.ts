import { elementAt, sizeOf, type Element } from './snappy.js';

/*
 * What can be made of a compressed block that is damaged. From its beginning it can be decompressed up to the damage.
 * Behind the damage too: a block says how long it is decompressed, and what comes from some place to its end is as long
 * as it is, so it is known where that goes. Which place is the first one behind the damage is not known: all are tried.
 *
 *   compressed    | elements | damage |   elements   |
 *   decompressed  | known    | lost   |  known, and ends where the block does |
 */

/** Bytes that a block may hold decompressed: LevelDB ends one with the row that makes it longer than 4 KiB. */
const SIZE_MAX = 16_384;

/** What is decompressed from the beginning, as far as it makes sense: at the damage it goes astray. */
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
 * What the block may have held if what is damaged ends at some place, for one place after another.
 *
 * @param front What it held up to the damage, and perhaps more.
 * @param after Up to where that is certain: the damage is behind.
 */
export function* decompressBack(
  bytes: Buffer,
  front: Buffer,
  after: number,
): Generator<Buffer, void, undefined> {
  const { size, end } = headerOf(bytes);
  for (const { at, length } of chainsToEnd(bytes, end)) {
    if (size >= length && size - length < after) continue;
    // Without a size that makes sense, what is there is all that counts.
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
 * Places from which elements follow one another to the end of the block, and how long what they give is; none that
 * another one leads to. Those that give most come first.
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

/** Writes an element; what it copies from before the beginning is lost. */
function write(output: Buffer, filled: number, bytes: Buffer, { data, distance, length }: Element): void {
  for (let n = 0; n < length; n++) {
    output[filled + n] = distance === 0 ? (bytes[data + n] ?? 0) : (output[filled + n - distance] ?? 0);
  }
}
