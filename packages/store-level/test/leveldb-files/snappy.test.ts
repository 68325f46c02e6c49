import { expect } from 'chai';
import { decompressSnappy } from '../../src/leveldb-files/snappy.js';

const bytes = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 7) % 251));

/** A literal, with its length in a number of bytes after the tag, or in the tag. */
function literal(data: Buffer, lengthBytes: number): Buffer {
  if (lengthBytes === 0) return Buffer.concat([Buffer.of((data.length - 1) << 2), data]);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntLE(data.length - 1, 0, lengthBytes);
  return Buffer.concat([Buffer.of((59 + lengthBytes) << 2), length, data]);
}

/** A copy of 4 to 11 bytes from less than 2,048 bytes back. */
const nearCopy = (length: number, distance: number): Buffer =>
  Buffer.of(((distance >> 8) << 5) | ((length - 4) << 2) | 1, distance & 0xff);

/** A copy of 1 to 64 bytes, with its distance in two or four bytes. */
function copy(length: number, distance: number, distanceBytes: 2 | 4): Buffer {
  const back = Buffer.alloc(distanceBytes);
  back.writeUIntLE(distance, 0, distanceBytes);
  return Buffer.concat([Buffer.of(((length - 1) << 2) | (distanceBytes === 2 ? 2 : 3)), back]);
}

/** A block with a stated size. */
function block(size: number, ...parts: readonly Buffer[]): Buffer {
  const head = [];
  for (; size >= 0x80; size >>= 7) head.push((size & 0x7f) | 0x80);
  return Buffer.concat([Buffer.of(...head, size), ...parts]);
}

describe('decompressSnappy', () => {
  const literals: readonly [length: number, lengthBytes: number][] = [
    [1, 0],
    [60, 0],
    [61, 1],
    [256, 1],
    [257, 2],
    [65_537, 3],
    [70_000, 4],
  ];
  for (const [length, lengthBytes] of literals) {
    it(`reads a literal of ${length} bytes with its length in ${lengthBytes} bytes`, () => {
      const data = bytes(length);
      expect(decompressSnappy(block(length, literal(data, lengthBytes)))).to.deep.equal(data);
    });
  }

  it('reads several literals', () => {
    const data = bytes(100);
    const parts = [literal(data.subarray(0, 60), 0), literal(data.subarray(60), 1)];
    expect(decompressSnappy(block(100, ...parts))).to.deep.equal(data);
  });

  it('reads copies of all three kinds', () => {
    const data = bytes(1_000);
    const start = literal(data, 2);
    for (const [length, distance] of [
      [4, 1_000],
      [11, 999],
      [7, 255],
      [5, 256],
      [4, 20],
    ] as const) {
      const expected = Buffer.concat([data, data.subarray(1_000 - distance, 1_000 - distance + length)]);
      for (const part of [nearCopy(length, distance), copy(length, distance, 2), copy(length, distance, 4)]) {
        expect(decompressSnappy(block(1_000 + length, start, part))).to.deep.equal(expected);
      }
    }
    const far = copy(64, 1_000, 2);
    expect(decompressSnappy(block(1_064, start, far)).subarray(1_000)).to.deep.equal(data.subarray(0, 64));
    expect(decompressSnappy(block(1_001, start, copy(1, 3, 4))).at(-1)).to.equal(data[997]);
  });

  it('reads a copy that overlaps its own output', () => {
    const start = literal(Buffer.from('ab'), 0);
    expect(decompressSnappy(block(9, start, nearCopy(7, 2))).toString()).to.equal('ababababa');
    expect(decompressSnappy(block(6, start, copy(4, 1, 2))).toString()).to.equal('abbbbb');
  });

  it('reads an empty block', () => {
    expect(decompressSnappy(block(0))).to.deep.equal(Buffer.alloc(0));
  });

  const abc = literal(Buffer.from('abc'), 0);
  const wrong: Readonly<Record<string, Buffer>> = {
    'no bytes': Buffer.alloc(0),
    'a size without an end': Buffer.of(0x80),
    'more than it says': block(2, abc),
    'less than it says': block(4, abc),
    'a literal that is cut': block(3, abc.subarray(0, 3)),
    'a cut literal at the end, with room for it': block(10, literal(bytes(61), 1).subarray(0, 9)),
    'a copy from before the beginning': block(7, abc, nearCopy(4, 4)),
    'a copy of itself': block(7, abc, copy(4, 0, 2)),
    'a copy that is longer than it says': block(6, abc, nearCopy(4, 3)),
    'a copy that is cut': block(7, abc, copy(4, 3, 4).subarray(0, 4)),
  };
  for (const [what, input] of Object.entries(wrong)) {
    it(`refuses ${what}`, () => {
      expect(() => decompressSnappy(input)).to.throw(RangeError);
    });
  }
});
