import { expect } from 'chai';
import type { DecodedFrame } from '../../../src/index.js';
import { Em18Decoder } from '../../../src/serial/decoders/em4100-decoders.js';
import { problemsOf, summarise } from '../../fixtures/summarise.js';

const ADA = Buffer.from('62E3086CED08');
const BOB = Buffer.from('010063E9AE25');
/** The two frames within {@link ROTATED} are the same. */
const ROTATABLE = Buffer.from('4B001122334B');
const ROTATED = Buffer.concat([ROTATABLE.subarray(4), ROTATABLE.subarray(0, 4)]);

/** A decoder of a line that was silent at its opening. */
function ready(...options: ConstructorParameters<typeof Em18Decoder>): Em18Decoder {
  const decoder = new Em18Decoder(...options);
  expect(decoder.silence()).to.be.empty;
  return decoder;
}

/** The results for bytes between two silences. */
function decode(...bytes: readonly Uint8Array[]): readonly DecodedFrame[] {
  const decoder = ready();
  for (const chunk of bytes) expect(decoder.push(chunk)).to.be.empty;
  return decoder.silence();
}

describe('Em18Decoder', () => {
  it('decodes 12 digits between two silences', () => {
    const decoder = ready();
    for (const frame of [ADA, BOB]) {
      expect(decoder.push(frame.subarray(0, 5))).to.be.empty;
      expect(decoder.push(frame.subarray(5))).to.be.empty;
      expect(summarise(decoder.silence())).to.deep.equal([frame.toString('latin1', 0, 10)]);
    }
    expect(decoder.silence()).to.be.empty;
  });

  it('decodes frames that follow each other without a silence', () => {
    expect(summarise(decode(Buffer.concat([ADA, BOB, ADA])))).to.deep.equal([
      '62E3086CED',
      '010063E9AE',
      '62E3086CED',
    ]);
  });

  it('decodes 16 frames of a resting tag, for any time', () => {
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => ADA));
    expect(summarise(decode(many))).to.deep.equal(Array.from({ length: 16 }, () => '62E3086CED'));
    expect(problemsOf(decode(many, Buffer.from('62E3086CED09')))).to.deep.equal([
      'a frame with a wrong checksum',
    ]);
  });

  it('keeps the checksum if that is set', () => {
    const decoder = ready({ checksum: 'keep' });
    decoder.push(ADA);
    expect(summarise(decoder.silence())).to.deep.equal(['62E3086CED08']);
  });

  it('refuses an id of only zeros', () => {
    expect(summarise(decode(Buffer.from('000000000000')))).to.deep.equal(['BLANK_TALLY_ID']);
  });

  const broken: Readonly<Record<string, string>> = {
    'a frame with a wrong checksum': '62E3086CED09',
    'a frame with other characters than hex digits': '62E3086CEDX8',
    'a frame of a wrong length': '62E3086CED0',
  };
  for (const [problem, text] of Object.entries(broken)) {
    it(`reports ${problem} when the line is silent, and decodes the next frame`, () => {
      const decoder = ready();
      expect(decoder.push(Buffer.from(text))).to.be.empty;
      expect(problemsOf(decoder.silence())).to.deep.equal([problem]);
      decoder.push(BOB);
      expect(summarise(decoder.silence())).to.deep.equal(['010063E9AE']);
    });
  }

  it('finds no frame in the middle of other bytes', () => {
    for (const around of [
      [Buffer.from('7'), ADA, BOB],
      [ADA, BOB, Buffer.from('7')],
    ]) {
      const [fault, ...rest] = decode(Buffer.concat(around));
      expect(fault).to.have.nested.property('fault.details.length', 25);
      expect(rest).to.be.empty;
    }
  });

  it('does not combine the end of a frame and the beginning of the next, even with a right checksum', () => {
    expect(summarise(decode(ROTATED)), 'alone it looks right').to.deep.equal(['1122334B4B']);
    for (let lost = 1; lost < 12; lost++) {
      const frames = Buffer.concat([ROTATABLE, ROTATABLE, ROTATABLE]);
      expect(summarise(decode(frames.subarray(lost)))).to.deep.equal(['FRAME_INVALID']);
    }
  });

  it('ignores bytes from before the first silence, which may be the end of a frame', () => {
    const decoder = new Em18Decoder();
    decoder.push(Buffer.concat([ROTATED, ROTATED]));
    const decoded = decoder.silence();
    expect(summarise(decoded)).to.deep.equal(['FRAME_INVALID']);
    expect(problemsOf(decoded)).to.deep.equal(['bytes before the line was silent for the first time']);
    decoder.push(ROTATABLE);
    expect(summarise(decoder.silence())).to.deep.equal(['4B00112233']);
  });
});
