/** The encoding of a file that begins with the mark. `TextDecoder` removes the mark. */
const byteOrderMarks = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/**
 * Decodes a file of unknown encoding, as spreadsheet programs write them: by its byte order mark; else as UTF-8 if it is
 * valid UTF-8; else as Windows-1252, in which every byte is a character.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = byteOrderMarks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return new TextDecoder(marked.encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** The characters of the bytes 0x80 to 0x9F. Five of these bytes have no character, and become control characters. */
const FROM_80_TO_9F = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F' + '\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/** With a table, because Node's decoder takes Windows-1252 for Latin-1 (nodejs/node#56542). */
function decodeWindows1252(bytes: Uint8Array): string {
  const units = Buffer.alloc(2 * bytes.length);
  for (const [index, byte] of bytes.entries()) {
    const isInTable = byte >= 0x80 && byte <= 0x9f;
    units.writeUInt16LE(isInTable ? FROM_80_TO_9F.charCodeAt(byte - 0x80) : byte, 2 * index);
  }
  return units.toString('utf16le');
}
