/** The first half of the content of a file. The zeros at the end of a log, which are room for more, are not counted. */
export function halve(content: Buffer): Buffer {
  const end = content.findLastIndex((byte) => byte !== 0) + 1;
  return content.subarray(0, end >> 1);
}
