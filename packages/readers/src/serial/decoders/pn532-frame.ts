/** The first byte of the content of a frame: host to chip, chip to host, or an error of the chip. */
const TO_CHIP = 0xd4;
const FIRST_CARRIED: readonly number[] = [TO_CHIP, 0xd5, 0x7f];

/** Acknowledges an answer. If it is sent while the chip works, it ends that work. */
export const pn532Ack: Uint8Array = Uint8Array.of(0x00, 0x00, 0xff, 0x00, 0xff, 0x00);

/** The byte before and after frames. */
export const PN532_FILLING = 0x00;

/** Longest content of a frame, in bytes. A target with its longest ATS has less than half of this. */
const MAX_CARRIED = 265;

/** The normal information frame of a command. */
export function encodePn532Command(command: readonly number[]): Uint8Array {
  const carried = [TO_CHIP, ...command];
  const length = carried.length;
  return Uint8Array.of(0x00, 0x00, 0xff, length, -length, ...carried, -sumOf(carried), 0x00);
}

/**
 * Length of the frame of a PN532 at the beginning of bytes, for {@link FramedByLength}.
 *
 * ```
 * 00 FF  00 FF                00   acknowledgement; FF 00 is a refusal
 * 00 FF  LEN LCS   D5 … DCS   00   LEN + LCS = 0, sum of the content and DCS = 0, both modulo 256
 * 00 FF  FF FF LENM LENL LCS  D5 … DCS 00   extended
 * ```
 *
 * Any further 00 before a frame is filling. The 00 after a frame is filling too: it may be the first byte of the next
 * frame.
 *
 * @see PN532 user manual, NXP UM0701-02, 6.2.1.
 */
export function measurePn532Frame(bytes: Buffer): number | undefined {
  if (bytes[0] !== 0x00) return undefined;
  if (bytes.length === 1) return Infinity;
  if (bytes[1] !== 0xff) return 1;
  const header = readHeader(bytes);
  if (header === 'unfinished') return Infinity;
  if (header === undefined) return undefined;
  const { start, length } = header;
  if (length === 0) return start;
  const end = start + length + 1;
  if (bytes.length > start && !FIRST_CARRIED.includes(bytes[start] ?? 0)) return undefined;
  if (bytes.length < end) return Infinity;
  return sumOf(bytes.subarray(start, end)) % 256 === 0 ? end : undefined;
}

/** The content of a frame, with D5 and the code of the answer first; empty for an acknowledgement. */
export function carriedByPn532Frame(frame: Buffer): Buffer {
  const header = readHeader(frame);
  if (header === 'unfinished' || header === undefined) return frame.subarray(0, 0);
  return frame.subarray(header.start, header.start + header.length);
}

/** Start and length of the content of a frame. */
function readHeader(
  bytes: Buffer,
): { readonly start: number; readonly length: number } | 'unfinished' | undefined {
  if (bytes.length < 4) return 'unfinished';
  const [, , length = 0, check = 0] = bytes;
  if (length === 0xff && check === 0xff) {
    if (bytes.length < 7) return 'unfinished';
    const extended = bytes.readUInt16BE(4);
    const isRight = sumOf(bytes.subarray(4, 7)) % 256 === 0 && extended > 0 && extended <= MAX_CARRIED;
    return isRight ? { start: 7, length: extended } : undefined;
  }
  // Acknowledgement and refusal: 00 FF and FF 00, whose sums are not 0.
  if (length + check === 0xff && (length === 0 || check === 0)) return { start: 4, length: 0 };
  return length > 0 && (length + check) % 256 === 0 ? { start: 4, length } : undefined;
}

function sumOf(bytes: Iterable<number>): number {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return sum;
}
