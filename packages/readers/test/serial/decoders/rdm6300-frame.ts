/** The frame that an RDM6300 sends for 5 bytes in hex. */
export function encodeFrame(id: string): Buffer {
  return Buffer.from(`\x02${id}${checksumOf(id)}\x03`, 'latin1');
}

/** The frame that an ID-12 sends: with CR LF before ETX. */
export function encodeLongFrame(id: string): Buffer {
  return Buffer.from(`\x02${id}${checksumOf(id)}\r\n\x03`, 'latin1');
}

function checksumOf(id: string): string {
  const sum = Buffer.from(id, 'hex').reduce((xor, byte) => xor ^ byte, 0);
  return sum.toString(16).toUpperCase().padStart(2, '0');
}
