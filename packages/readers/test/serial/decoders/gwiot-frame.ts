/** The frame that a 7941D sends for an id in hex: 01 is the type of a MIFARE tag, 02 that of an EM4100. */
export function encodeGwiotFrame(type: number, id: string): Buffer {
  const bytes = Buffer.from(id, 'hex');
  const content = [bytes.length + 5, type, ...bytes];
  const sum = content.reduce((xor, byte) => xor ^ byte, 0);
  return Buffer.from([0x02, ...content, sum, 0x03]);
}
