import { expect } from 'chai';
import fc from 'fast-check';
import { Rdm6300Decoder, type DecodedFrame, type Em4100Options } from '../../../src/index.js';
import { encodeFrame, encodeLongFrame } from './rdm6300-frame.js';
import { summarise } from '../../fixtures/summarise.js';

const ADA = '62E3086CED';
const BOB = '010063E9AE';

function decode(bytes: Uint8Array | string, options?: Em4100Options): readonly DecodedFrame[] {
  const chunk = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  return new Rdm6300Decoder(options).push(chunk);
}

function messageOf(bytes: string): string {
  const [first] = decode(bytes);
  if (first === undefined || !('fault' in first)) throw new Error('no fault');
  return first.fault.message;
}

const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.filter((byte) => byte !== 0x02));
const id = fc
  .uint8Array({ minLength: 5, maxLength: 5 })
  .map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase())
  .filter((digits) => !/^(?:0+|F+)$/.test(digits));
const frame = fc.tuple(id, fc.constantFrom(encodeFrame, encodeLongFrame));

/** Bytes in chunks cut at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...places].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length));
}

describe('Rdm6300Decoder', () => {
  for (const digits of ['62E3086CED08', '0F0368568BB9', '7A005B0FF8D6', '010063E9AE25', '0000000B2A21']) {
    it(`decodes the frame of ${digits}`, () => {
      expect(summarise(decode(`\x02${digits}\x03`))).to.deep.equal([digits.slice(0, 10)]);
    });
  }

  it('decodes a frame as soon as its last byte is there', () => {
    const decoder = new Rdm6300Decoder();
    const bytes = encodeFrame(ADA);
    expect(decoder.push(bytes.subarray(0, -1))).to.be.empty;
    expect(summarise(decoder.push(bytes.subarray(-1)))).to.deep.equal([ADA]);
  });

  it('keeps the checksum as the last byte of the id if that is set', () => {
    expect(summarise(decode(encodeFrame(ADA), { checksum: 'keep' }))).to.deep.equal([`${ADA}08`]);
  });

  it('checks the checksum that it keeps', () => {
    expect(summarise(decode('\x0262E3086CED09\x03', { checksum: 'keep' }))).to.deep.equal(['FRAME_INVALID']);
  });

  for (const checksum of ['drop', 'keep'] as const) {
    for (const blank of ['0000000000', 'FFFFFFFFFF']) {
      it(`refuses ${blank} as blank with checksum=${checksum}`, () => {
        expect(summarise(decode(encodeFrame(blank), { checksum }))).to.deep.equal(['BLANK_TALLY_ID']);
      });
    }
  }

  describe('when a frame is broken', () => {
    const broken: Readonly<Record<string, string>> = {
      'a frame with a wrong checksum': '\x0262E3086CED09\x03',
      'a frame with other characters than hex digits': '\x0262E3086CEX08\x03',
      'a frame of a wrong length': '\x0262E3086CED0\x03',
      'a frame without its end': '\x0262E3086CED08\x02',
      'a frame that is too long': '\x0262E3086CED08080808\x03',
      'bytes outside a frame': '62E3086CED08\x02',
    };
    for (const [problem, bytes] of Object.entries(broken)) {
      it(`reports ${problem}`, () => {
        expect(summarise(decode(bytes))).to.deep.equal(['FRAME_INVALID']);
        expect(messageOf(bytes)).to.contain(problem);
      });
    }

    it('reports a frame with half of a CR LF', () => {
      for (const end of ['\r\x03', '\n\x03', '\n\r\x03', '\r\n\r\n\x03']) {
        expect(summarise(decode(`\x0262E3086CED08${end}`))).to.deep.equal(['FRAME_INVALID']);
      }
    });

    it('reports the number of bytes and the shape of the first 16', () => {
      const [first] = decode(`${'A'.repeat(500)}\x02`);
      if (first === undefined || !('fault' in first)) throw new Error('no fault');
      expect(first.fault.details).to.deep.equal({
        length: 500,
        problem: 'bytes outside a frame',
      });
      expect(first.fault.message).to.contain(`500 bytes: ${'#'.repeat(16)}…`);
    });

    it('decodes the next frame, also one that begins within it', () => {
      const begun = encodeFrame(BOB).subarray(0, 7);
      const bytes = Buffer.concat([begun, encodeFrame(ADA)]);
      expect(summarise(decode(bytes))).to.deep.equal(['FRAME_INVALID', ADA]);
    });

    it('reports noise once, for any number of chunks', () => {
      const decoder = new Rdm6300Decoder();
      for (let chunk = 0; chunk < 1_000; chunk++) {
        expect(decoder.push(new Uint8Array(1_000).fill(0xff))).to.be.empty;
      }
      const [fault, ...rest] = decoder.push(encodeFrame(ADA));
      expect(summarise(rest)).to.deep.equal([ADA]);
      expect(fault).to.have.nested.property('fault.details.length', 1_000_000);
    });
  });

  describe('when the line falls silent within a frame', () => {
    const bytes = encodeFrame(ADA);

    it('reports the part once, and makes no id from two halves', () => {
      const decoder = new Rdm6300Decoder();
      decoder.push(bytes.subarray(0, 5));
      expect(summarise(decoder.silence())).to.deep.equal(['FRAME_INVALID']);
      expect(decoder.silence()).to.be.empty;
      expect(decoder.push(bytes.subarray(5))).to.be.empty;
      expect(summarise(decoder.silence())).to.deep.equal(['FRAME_INVALID']);
      expect(summarise(decoder.push(encodeFrame(BOB)))).to.deep.equal([BOB]);
    });

    it('reports nothing after a complete frame', () => {
      const decoder = new Rdm6300Decoder();
      decoder.push(bytes);
      expect(decoder.silence()).to.be.empty;
    });
  });

  it('decodes exactly the frames, and each noise between them as one fault, for every cut of the bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, frame)), fc.array(fc.nat()), (pieces, places) => {
        const bytes = Buffer.concat(pieces.flatMap(([before, [digits, encode]]) => [before, encode(digits)]));
        const expected = pieces.flatMap(([before, [digits]]) =>
          before.length === 0 ? [digits] : ['FRAME_INVALID', digits],
        );
        const decoder = new Rdm6300Decoder();
        expect(cut(bytes, places).flatMap((chunk) => summarise(decoder.push(chunk)))).to.deep.equal(expected);
      }),
    );
  });

  it('accepts all bytes, has the same result for every cut, and decodes the next frame', () => {
    const likely = fc.constantFrom(0x02, 0x03, 0x0a, 0x0d, 0x30, 0x41, 0x46, 0x66);
    const byte = fc.oneof(likely, fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 200 }), fc.array(fc.nat()), (values, places) => {
        const bytes = Buffer.concat([Buffer.from(values), encodeFrame(ADA)]);
        const whole = decode(bytes);
        const decoder = new Rdm6300Decoder();
        const inParts = cut(bytes, places).flatMap((chunk) => decoder.push(chunk));
        expect(summarise(inParts)).to.deep.equal(summarise(whole));
        expect(summarise(whole).at(-1)).to.equal(ADA);
      }),
    );
  });

  it('makes no other id from a frame with one flipped bit', () => {
    fc.assert(
      fc.property(frame, ([digits, encode]) => {
        const bytes = encode(digits);
        for (let bit = 0; bit < bytes.length * 8; bit++) {
          const flipped = Buffer.from(bytes);
          const at = bit >> 3;
          flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (bit & 7)), at);
          const text = flipped.toString('latin1');
          const isOtherCase = text.toUpperCase() === bytes.toString('latin1');
          const said = summarise(decode(Buffer.concat([flipped, encodeFrame(BOB)])));
          expect(said.filter((each) => each !== 'FRAME_INVALID')).to.deep.equal(
            isOtherCase ? [digits, BOB] : [BOB],
          );
          expect(said.includes('FRAME_INVALID')).to.equal(!isOtherCase);
        }
      }),
    );
  });
});
