/** The first half of what a file holds, without the zeros at the end of a log, which are room for more. */
export function halve(content: Buffer): Buffer {
  const end = content.findLastIndex((byte) => byte !== 0) + 1;
  return content.subarray(0, end >> 1);
}
