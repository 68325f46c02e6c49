/** A frame of the chip with these bytes, optionally extended. */
export function encodePn532Answer(carried: Iterable<number>, isExtended = false): Buffer {
  const bytes = Buffer.from([...carried]);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  const size = [bytes.length >> 8, bytes.length & 0xff] as const;
  const header = isExtended ? [0xff, 0xff, ...size, -(size[0] + size[1])] : [bytes.length, -bytes.length];
  return Buffer.from([0x00, 0x00, 0xff, ...header, ...bytes, -sum, 0x00]);
}

/** The answer of a chip with one tag of this UID, in hex. Tags with an operating system add an ATS. */
export function encodePn532Target(uid: string, ats = '', isExtended = false): Buffer {
  const bytes = Buffer.from(uid, 'hex');
  const target = [
    0xd5,
    0x4b,
    0x01,
    0x01,
    0x00,
    0x04,
    0x08,
    bytes.length,
    ...bytes,
    ...Buffer.from(ats, 'hex'),
  ];
  return encodePn532Answer(target, isExtended);
}

export const pn532Acknowledgement: Buffer = Buffer.from('0000ff00ff00', 'hex');
