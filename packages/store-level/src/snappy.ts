/**
 * Decompresses a block of a table: Snappy's format without framing.
 *
 * Throws if the bytes are not in that format.
 */
export function decompressSnappy(bytes: Buffer): Buffer {
  let at = 0;
  const next = (): number => bytes.readUInt8(at++);
  const nextNumber = (length: number): number => {
    at += length;
    return bytes.readUIntLE(at - length, length);
  };

  let size = 0;
  for (let place = 1; ; place *= 0x80) {
    const byte = next();
    size += (byte % 0x80) * place;
    if (byte < 0x80) break;
  }
  const output = Buffer.alloc(size);
  let filled = 0;
  while (at < bytes.length) {
    const tag = next();
    const kind = tag & 3;
    const high = tag >> 2;
    if (kind === 0) {
      const length = (high < 60 ? high : nextNumber(high - 59)) + 1;
      if (at + length > bytes.length || filled + length > size) throw new RangeError('a literal is too long');
      // Literals are a few bytes long: to have another function copy them takes most of the time.
      for (const end = filled + length; filled < end;) output[filled++] = bytes[at++] ?? 0;
    } else {
      const length = kind === 1 ? (high & 7) + 4 : high + 1;
      const distance = kind === 1 ? (high >> 3) * 256 + next() : nextNumber(kind === 2 ? 2 : 4);
      if (distance === 0 || distance > filled || filled + length > size)
        throw new RangeError('a copy leads astray');
      // Byte by byte: a copy may reach into what it has just written.
      for (const end = filled + length; filled < end; filled++)
        output[filled] = output[filled - distance] ?? 0;
    }
  }
  if (filled !== size) throw new RangeError('the block is shorter than it says');
  return output;
}
