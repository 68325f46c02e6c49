import { expect } from 'chai';
import fc from 'fast-check';
import { frameDecoders } from '../../../src/index.js';
import { encodeGwiotFrame } from './gwiot-frame.js';
import { encodePn532Target } from './pn532-frames.js';
import { encodeFrame, encodeLongFrame } from './rdm6300-frame.js';
import { summarise } from '../../fixtures/summarise.js';

/** Protocols with a start of frame, which are found after noise: a sound frame of each, and its id. */
const begun: Readonly<Record<string, readonly [frame: Buffer, id: string]>> = {
  rdm6300: [encodeFrame('62E3086CED'), '62E3086CED'],
  id12: [encodeLongFrame('62E3086CED'), '62E3086CED'],
  '7941d': [encodeGwiotFrame(0x02, '2E00B6D7B5'), '2E00B6D7B5'],
  parallax: [Buffer.from('\n0F0184F07A\r'), '0F0184F07A'],
  pn532: [encodePn532Target('FB0EE20B'), 'FB0EE20B'],
};

/** Protocols in which only silence or a line end separates noise from a frame. */
const unmarked: Readonly<Record<string, readonly [frame: Buffer, id: string]>> = {
  em18: [Buffer.from('62E3086CED08'), '62E3086CED'],
  lines: [Buffer.from('62E3086CED\r\n'), '62E3086CED'],
};

/** Often contains bytes that begin, continue or end frames. */
const noise = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x00, 0x02, 0x03, 0x08, 0x0a, 0x0d, 0x0f, 0x30, 0x41, 0xd5, 0xff),
      fc.integer({ min: 0, max: 255 }),
    ),
    { maxLength: 60 },
  )
  .map((bytes) => Buffer.from(bytes));

function heard(protocol: string, ...pieces: readonly Uint8Array[]): readonly string[] {
  const decoder = frameDecoders[protocol]?.();
  if (decoder === undefined) throw new Error(`no decoder of ${protocol}`);
  return [[], ...pieces].flatMap((piece) =>
    summarise([...decoder.push(Uint8Array.from(piece), 0), ...(decoder.silence?.() ?? [])]),
  );
}

/** Whether the bytes contain, by chance, a sound frame of another id: 7941D frames have a checksum of only 8 bits. */
function holdsFrameOf(bytes: Buffer, id: string): boolean {
  return Array.from({ length: 256 }, (_, type) => encodeGwiotFrame(type, id)).some((frame) =>
    bytes.includes(frame),
  );
}

describe('A sound frame', () => {
  for (const [protocol, [frame, id]] of Object.entries(begun)) {
    it(`of ${protocol} is read right after any noise`, () => {
      fc.assert(
        fc.property(noise, (bytes) => {
          const sent = Buffer.concat([bytes, frame]);
          const found = heard(protocol, sent);
          // Such a frame cannot be told from noise and another frame.
          if (protocol === '7941d')
            fc.pre(
              !found.some((each) => /^[0-9A-F]+$/.test(each) && each !== id && holdsFrameOf(sent, each)),
            );
          expect(found).to.include(id);
        }),
        { numRuns: 1_000 },
      );
    });
  }

  for (const [name, bytes] of [
    ['a refusal without its end', [0x00, 0xff, 0xff, 0x00]],
    ['a refusal cut after its beginning', [0x00, 0xff, 0xff]],
    ['the beginning of a frame that would carry a single 00', [0x00, 0xff, 0x01, 0xff]],
  ] as const) {
    it(`of pn532 is read right after ${name}, in one piece and byte by byte`, () => {
      const [frame, id] = [encodePn532Target('FB0EE20B'), 'FB0EE20B'];
      const sent = Buffer.from([...bytes, ...frame]);
      expect(heard('pn532', sent)).to.include(id);
      const decoder = frameDecoders['pn532']?.();
      expect(summarise([...sent].flatMap((byte) => decoder?.push(Uint8Array.of(byte), 0) ?? []))).to.include(
        id,
      );
    });
  }

  for (const [protocol, [frame, id]] of Object.entries(unmarked)) {
    it(`of ${protocol} is read after any noise and a silence`, () => {
      fc.assert(
        fc.property(noise, (bytes) => {
          expect(heard(protocol, bytes, frame).at(-1)).to.equal(id);
        }),
        { numRuns: 1_000 },
      );
    });
  }

  it('is listed for every protocol', () => {
    expect([...Object.keys(begun), ...Object.keys(unmarked)]).to.have.members(Object.keys(frameDecoders));
  });
});
