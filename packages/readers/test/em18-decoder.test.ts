import { expect } from 'chai';
import fc from 'fast-check';
import { Em18Decoder } from '../src/serial/em18-decoder.js';
import { encodeFrame } from './rdm6300-frame.js';
import { problemsOf, summarise } from './summarise.js';

const ADA = Buffer.from('62E3086CED08');
const BOB = Buffer.from('010063E9AE25');

describe('Em18Decoder', () => {
  it('decodes 12 digits as soon as the last one is there', () => {
    const decoder = new Em18Decoder();
    expect(decoder.push(ADA.subarray(0, 11), 0)).to.be.empty;
    expect(summarise(decoder.push(ADA.subarray(11), 13))).to.deep.equal(['62E3086CED']);
  });

  it('decodes frames that follow each other without a pause', () => {
    const decoder = new Em18Decoder();
    expect(summarise(decoder.push(Buffer.concat([ADA, BOB, ADA]), 0))).to.deep.equal([
      '62E3086CED',
      '010063E9AE',
      '62E3086CED',
    ]);
  });

  it('keeps the checksum when it is told to', () => {
    expect(summarise(new Em18Decoder({ checksum: 'keep' }).push(ADA, 0))).to.deep.equal(['62E3086CED08']);
  });

  it('refuses an id of only zeros', () => {
    expect(summarise(new Em18Decoder().push(Buffer.from('000000000000'), 0))).to.deep.equal([
      'BLANK_TALLY_ID',
    ]);
  });

  const broken: Readonly<Record<string, string>> = {
    'a frame with a wrong checksum': '62E3086CED09',
    'a frame with other characters than hex digits': '62E3086CEDX8',
    'a frame of a wrong length': '62E3086CED0',
  };
  for (const [problem, text] of Object.entries(broken)) {
    it(`reports ${problem} when the next frame comes, and decodes that one`, () => {
      const decoder = new Em18Decoder();
      expect(decoder.push(Buffer.from(text), 0)).to.be.empty;
      const decoded = decoder.push(BOB, 51);
      expect(summarise(decoded)).to.deep.equal(['FRAME_INVALID', '010063E9AE']);
      expect(problemsOf(decoded)).to.deep.equal([problem]);
    });
  }

  it('takes no frame out of the middle of other bytes', () => {
    const decoder = new Em18Decoder();
    expect(decoder.push(Buffer.concat([Buffer.from('7'), ADA, BOB]), 0)).to.be.empty;
    const [fault, ...rest] = decoder.push(BOB, 100);
    expect(fault).to.have.nested.property('fault.details.length', 25);
    expect(summarise(rest)).to.deep.equal(['010063E9AE']);
  });

  it('takes what comes within 50 ms together, and no more', () => {
    for (const [pause, result] of [
      [50, ['62E3086CED']],
      [51, ['FRAME_INVALID']],
    ] as const) {
      const decoder = new Em18Decoder();
      decoder.push(ADA.subarray(0, 5), 0);
      expect(summarise(decoder.push(ADA.subarray(5), pause))).to.deep.equal(result);
    }
  });

  it('finds its way back after any noise and a silence', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (noise) => {
        const decoder = new Em18Decoder();
        decoder.push(noise, 0);
        expect(summarise(decoder.push(encodeFrame('62E3086CED').subarray(1, -1), 1_000))).to.include(
          '62E3086CED',
        );
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
