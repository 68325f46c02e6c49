import type { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { Pn532Decoder } from '../../../src/serial/decoders/pn532-decoder.js';
import { encodePn532Answer, encodePn532Target } from './pn532-frames.js';
import { summarise } from '../../fixtures/summarise.js';

function hex(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('hex').toUpperCase();
}

/** Frames from data sheets and from users of the chip. */
const FIRMWARE = '0000FF06FAD50332010607E800';
const SAM = '0000FF02FED5151600';
const RETRIES = '0000FF02FED533F800';
const NO_TAG = '0000FF03FDD54B00E000';
const MIFARE = '0000FF0CF4D54B010100040804FB0EE20BD800';
const LIST = '0000FF04FCD44A0100E100';
const ACK = '0000FF00FF00';

/** A decoder that has had everything up to the question for a tag, at 0 ms. */
function ready(): Pn532Decoder {
  const decoder = new Pn532Decoder();
  for (const answer of [FIRMWARE, SAM, RETRIES]) {
    decoder.prompt(0);
    decoder.push(Buffer.from(ACK + answer, 'hex'), 0);
  }
  expect(hex(decoder.prompt(0).bytes)).to.equal(LIST);
  return decoder;
}

describe('Pn532Decoder', () => {
  describe('when it speaks', () => {
    it('wakes the chip, sets it up and asks for a tag, one after the other', () => {
      const decoder = new Pn532Decoder();
      const said: (string | undefined)[] = [];
      for (const answer of [FIRMWARE, SAM, RETRIES]) {
        said.push(hex(decoder.prompt(0).bytes));
        decoder.push(Buffer.from(ACK, 'hex'), 0);
        expect(decoder.prompt(0).bytes).to.equal(undefined);
        expect(decoder.push(Buffer.from(answer, 'hex'), 0)).to.be.empty;
      }
      said.push(hex(decoder.prompt(0).bytes));
      expect(said).to.deep.equal([
        `5555${'00'.repeat(14)}0000FF02FED4022A00`,
        '0000FF05FBD4140114000300',
        '0000FF06FAD43205FF0110E500',
        LIST,
      ]);
    });

    it('asks again 150 ms after each answer', () => {
      const decoder = ready();
      decoder.push(Buffer.from(NO_TAG, 'hex'), 40);
      expect(decoder.prompt(40)).to.deep.equal({ againMs: 150 });
      expect(decoder.prompt(189)).to.deep.equal({ againMs: 1 });
      expect(hex(decoder.prompt(190).bytes)).to.equal(LIST);
    });

    it('waits a second for an answer, then stops the chip, reports that once, and sets the chip up again', () => {
      const decoder = ready();
      expect(decoder.prompt(999)).to.deep.equal({ againMs: 1 });
      const { bytes, againMs, fault } = decoder.prompt(1_000);
      expect(hex(bytes)).to.equal(ACK);
      expect(againMs).to.equal(500);
      expect(fault).to.have.property('code', 'FRAME_INVALID');
      expect(fault?.message).to.contain('does not answer');
      expect(decoder.prompt(1_499)).to.deep.equal({ againMs: 1 });
      expect(hex(decoder.prompt(1_500).bytes)).to.match(/^5555/);
      expect(decoder.prompt(2_500)).to.not.have.property('fault');
    });

    it('reports a missing answer again after an answer', () => {
      const decoder = ready();
      decoder.prompt(1_000);
      decoder.prompt(1_500);
      decoder.push(Buffer.from(FIRMWARE, 'hex'), 1_510);
      decoder.prompt(1_510);
      expect(decoder.prompt(2_510)).to.have.property('fault');
    });

    it('sets the chip up anew after an error frame', () => {
      const decoder = ready();
      const decoded = decoder.push(Buffer.from('0000FF01FF7F8100', 'hex'), 10);
      expect(summarise(decoded)).to.deep.equal(['FRAME_INVALID']);
      const [{ fault }] = decoded as readonly [{ readonly fault: TallybookError }];
      expect(fault.details['problem']).to.equal('an error of the PN532, which is now set up again');
      expect(decoder.prompt(10)).to.deep.equal({ againMs: 500 });
      expect(hex(decoder.prompt(510).bytes)).to.match(/^5555/);
    });

    it('ignores an answer to another question', () => {
      const decoder = ready();
      decoder.push(Buffer.from(SAM, 'hex'), 10);
      expect(decoder.prompt(10)).to.deep.equal({ againMs: 990 });
    });
  });

  describe('when the chip answers', () => {
    it('decodes the UID of a MIFARE tag', () => {
      expect(ready().push(Buffer.from(MIFARE, 'hex'), 0)).to.deep.equal([{ id: 'FB0EE20B', isUid: true }]);
    });

    for (const uid of ['04A1B2C3', '04A1B2C3D4E580', '04A1B2C3D4E580112233']) {
      it(`decodes a UID of ${uid.length / 2} bytes, with an ATS after it or not, also in an extended frame`, () => {
        const decoder = ready();
        const frames = [
          encodePn532Target(uid),
          encodePn532Target(uid, '067577810280'),
          encodePn532Target(uid, '', true),
          encodePn532Target(uid, '20'.repeat(200)),
          encodePn532Target(uid, '20'.repeat(230), true),
        ];
        expect(summarise(decoder.push(Buffer.concat(frames), 0))).to.deep.equal([uid, uid, uid, uid, uid]);
      });
    }

    it('decodes frames that come byte by byte, with more zeros between them', () => {
      const decoder = ready();
      const bytes = Buffer.from(`${ACK}000000${MIFARE}0000${MIFARE}`, 'hex');
      const decoded = [...bytes].flatMap((byte, at) => decoder.push(Uint8Array.of(byte), at));
      expect(summarise(decoded)).to.deep.equal(['FB0EE20B', 'FB0EE20B']);
    });

    it('reports nothing without a tag and for refusals', () => {
      expect(ready().push(Buffer.from(`${NO_TAG}0000FFFF0000`, 'hex'), 0)).to.be.empty;
    });

    it('does not report a refusal as a broken frame when the next one comes', () => {
      const decoded = ready().push(Buffer.from(`0000FFFF0000${MIFARE}`, 'hex'), 0);
      expect(summarise(decoded)).to.deep.equal(['FB0EE20B']);
    });

    it('refuses a UID of only zeros', () => {
      expect(summarise(ready().push(encodePn532Target('00000000'), 0))).to.deep.equal(['BLANK_TALLY_ID']);
    });

    const faulty: Readonly<Record<string, Buffer>> = {
      'a UID of 5 bytes': encodePn532Target('04A1B2C3D4'),
      'a UID that is cut': encodePn532Answer([0xd5, 0x4b, 1, 1, 0, 4, 8, 7, 4, 0xa1]),
      'two tags': encodePn532Answer([0xd5, 0x4b, 2, 1, 0, 4, 8, 4, 4, 0xa1, 0xb2, 0xc3]),
      'an answer without tags': encodePn532Answer([0xd5, 0x4b]),
    };
    for (const [what, frame] of Object.entries(faulty)) {
      it(`reports ${what}`, () => {
        expect(summarise(ready().push(frame, 0))).to.deep.equal(['FRAME_INVALID']);
      });
    }

    it('reports a frame with a wrong checksum when the next one comes', () => {
      const broken = Buffer.from(MIFARE, 'hex');
      broken[14] = 0xfa;
      const decoded = ready().push(Buffer.concat([broken, Buffer.from(MIFARE, 'hex')]), 0);
      expect(summarise(decoded)).to.deep.equal(['FRAME_INVALID', 'FB0EE20B']);
    });

    it('reports an extended frame with a wrong length checksum', () => {
      const broken = encodePn532Target('FB0EE20B', '', true);
      broken.writeUInt8(broken.readUInt8(7) ^ 1, 7);
      const decoded = ready().push(Buffer.concat([broken, Buffer.from(MIFARE, 'hex')]), 0);
      expect(summarise(decoded)).to.deep.equal(['FRAME_INVALID', 'FB0EE20B']);
    });

    it('ignores its own bytes, which an open line echoes', () => {
      const decoder = ready();
      expect(decoder.push(Buffer.from(LIST, 'hex'), 0)).to.be.empty;
      expect(decoder.prompt(0)).to.deep.equal({ againMs: 1_000 });
    });

    it('never reads another UID from flipped bits', () => {
      const bytes = Buffer.from(MIFARE, 'hex');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const ids = summarise(ready().push(flipped, 0)).filter((each) => !/[G-Z_]/.test(each));
        for (const id of ids) expect(id, `bit ${bit}`).to.equal('FB0EE20B');
      }
    });

    it('finds a frame within the beginning of a longer one, when the line is silent', () => {
      const decoder = ready();
      const begun = Buffer.from('00FF40C0D5', 'hex');
      expect(decoder.push(Buffer.concat([begun, Buffer.from(MIFARE, 'hex')]), 0)).to.be.empty;
      expect(summarise(decoder.silence())).to.deep.equal(['FRAME_INVALID', 'FB0EE20B']);
    });
  });
});
