import { crc32 } from 'node:zlib';

/*
 * LevelDB does not check the bytes that it reads from a table. So every row, except the row of the format, has a checksum of its
 * key and its value after the value: 4 bytes, CRC-32.
 */
const SEAL_BYTES = 4;

/** The value with its checksum, as it is stored. */
export function seal(key: Buffer, value: Buffer): Buffer {
  const sealed = Buffer.allocUnsafe(value.length + SEAL_BYTES);
  value.copy(sealed);
  sealed.writeUInt32BE(crc32(value, crc32(key)), value.length);
  return sealed;
}

/** A text in UTF-8 with its checksum. The text must have no lone surrogates. */
export function sealText(key: Buffer, text: string): Buffer {
  const length = Buffer.byteLength(text);
  const sealed = Buffer.allocUnsafe(length + SEAL_BYTES);
  sealed.write(text);
  sealed.writeUInt32BE(crc32(text, crc32(key)), length);
  return sealed;
}

/** The value without its checksum. Throws if the value or the key is damaged. */
export function unseal(key: Buffer, sealed: Buffer): Buffer {
  if (!isSealed(key, sealed)) throw new RangeError('the checksum is wrong');
  return sealed.subarray(0, -SEAL_BYTES);
}

/** Whether the checksum of a value is right. */
export function isSealed(key: Buffer, sealed: Buffer): boolean {
  const length = sealed.length - SEAL_BYTES;
  return length >= 0 && crc32(sealed.subarray(0, length), crc32(key)) === sealed.readUInt32BE(length);
}
