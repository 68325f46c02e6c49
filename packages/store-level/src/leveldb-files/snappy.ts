/*
 * Snappy's format without framing: the size of the decompressed bytes, then elements. An element gives bytes as they are, or
 * copies earlier bytes.
 */

/** A part of a compressed block. */
export interface Element {
  /** How many bytes it gives. */
  readonly length: number;
  /** How far back the copied bytes are; 0 if the bytes are in the block. */
  readonly distance: number;
  /** Offset of the bytes in the block. */
  readonly data: number;
  /** Offset of the next element. */
  readonly end: number;
}

/** The decompressed size, and the offset of the first element; `undefined` if the block begins with no size. */
export function sizeOf(bytes: Buffer): { readonly size: number; readonly end: number } | undefined {
  let size = 0;
  let at = 0;
  for (let place = 1; ; place *= 0x80) {
    const byte = bytes[at++];
    if (byte === undefined || at > 5) return undefined;
    size += (byte % 0x80) * place;
    if (byte < 0x80) return { size, end: at };
  }
}

/** The element at an offset; `undefined` if no element can be there. */
export function elementAt(bytes: Buffer, at: number): Element | undefined {
  const tag = bytes[at];
  if (tag === undefined) return undefined;
  const kind = tag & 3;
  const high = tag >> 2;
  const numberBytes = kind === 0 ? Math.max(0, high - 59) : kind === 3 ? 4 : kind;
  const data = at + 1 + numberBytes;
  if (data > bytes.length) return undefined;
  // Multiplied, because bitwise operators would make a large number negative.
  let number = 0;
  for (let byte = data - 1; byte > at; byte--) number = number * 256 + (bytes[byte] ?? 0);
  if (kind === 0) {
    const length = (high < 60 ? high : number) + 1;
    return data + length > bytes.length ? undefined : { length, distance: 0, data, end: data + length };
  }
  const distance = kind === 1 ? (high >> 3) * 256 + number : number;
  const length = kind === 1 ? (high & 7) + 4 : high + 1;
  return distance === 0 ? undefined : { length, distance, data, end: data };
}

/**
 * Decompresses a block of a table.
 *
 * Throws if the bytes are not in Snappy's format.
 */
export function decompressSnappy(bytes: Buffer): Buffer {
  const header = sizeOf(bytes);
  if (header === undefined) throw new RangeError('the block does not say its size');
  const { size } = header;
  const output = Buffer.alloc(size);
  let filled = 0;
  for (let at = header.end; at < bytes.length;) {
    const element = elementAt(bytes, at);
    if (element === undefined) throw new RangeError('an element is none');
    const { length, distance, data, end } = element;
    if (distance > filled) throw new RangeError('a copy leads astray');
    if (filled + length > size) throw new RangeError('the block is longer than it says');
    const source = distance === 0 ? bytes : output;
    const from = distance === 0 ? data : filled - distance;
    // Byte by byte: a copy may overlap its own output, and most copies are short. A call for each copy would take three times as
    // long.
    for (let n = 0; n < length; n++) output[filled + n] = source[from + n] ?? 0;
    filled += length;
    at = end;
  }
  if (filled !== size) throw new RangeError('the block is shorter than it says');
  return output;
}
