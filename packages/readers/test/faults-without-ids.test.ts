import { spellingNames, type TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { createIdFormat, frameDecoders } from '../src/index.js';
import { parseUidAnswer } from '../src/pcsc/uid-answer.js';
import { invalidFrame } from '../src/serial/decoders/frame-decoder.js';
import { encodeGwiotFrame } from './serial/decoders/gwiot-frame.js';
import { encodeFrame } from './serial/decoders/rdm6300-frame.js';

/** Fewest digits in a row that count as a part of an id. */
const RUN = 6;

/** Expects that a fault contains no six digits in a row of the sent bytes, as text or in hex. */
function expectNothingOf(sent: Uint8Array, { message, details }: TallybookError): void {
  const said = `${message} ${JSON.stringify(details)}`.toUpperCase();
  const bytes = Buffer.from(sent);
  for (const text of [bytes.toString('latin1').toUpperCase(), bytes.toString('hex').toUpperCase()]) {
    for (let at = 0; at + RUN <= text.length; at++) {
      const run = text.slice(at, at + RUN);
      if (/^[0-9A-F]+$/.test(run)) expect(said).not.to.contain(run);
    }
  }
}

describe('a fault of a frame', () => {
  const shapes: readonly (readonly [what: string, sent: string, shape: string])[] = [
    ['an RDM6300 frame', '\x0262E3086CED09\x03', '14 bytes: 02 ############ 03'],
    ['an ID-12 frame', '\x0262E3086CED09\r\n\x03', '16 bytes: 02 ############ 0D 0A 03'],
    ['a line of digits', '0006547886\r\n', '12 bytes: ########## 0D 0A'],
    ['a line with text before the id', 'id=4711', '7 bytes: x#x####'],
    ['a name', 'Ada L', '5 bytes: ###xx'],
    ['bytes that are no text', '\x02\x0a\x02\x2e\x00\xb6\xd7\xb5\xf3\x03', '10 bytes: 02 ??x????? 03'],
    ['noise that is longer than the shown part', '\xff'.repeat(17), `17 bytes: ${'?'.repeat(16)}…`],
    ['a line whose end is cut', `${'1'.repeat(15)}\r\n`, `17 bytes: ${'#'.repeat(15)} 0D…`],
    ['delimiters in the middle', '1\r\n1111', '7 bytes: #??####'],
    ['nothing', '', '0 bytes'],
  ];
  for (const [what, sent, shape] of shapes) {
    it(`shows the shape of ${what}`, () => {
      const { message, details } = invalidFrame('a frame', Buffer.from(sent, 'latin1'));
      expect(message).to.contain(`received a frame (${shape});`);
      expect(details).to.deep.equal({ length: sent.length, problem: 'a frame' });
    });
  }

  const ids = fc.uint8Array({ minLength: 5, maxLength: 5 }).filter((id) => new Set(id).size > 1);
  for (const [protocol, createDecoder] of Object.entries(frameDecoders)) {
    it(`shows nothing of the id in a broken frame to a decoder of ${protocol}`, () => {
      let faults = 0;
      const frames = ids.chain((id) => {
        const digits = Buffer.from(id).toString('hex').toUpperCase();
        const sound = [encodeFrame(digits), encodeGwiotFrame(0x02, digits), Buffer.from(`${digits}25\r\n`)];
        return fc.tuple(fc.constantFrom(...sound), fc.nat(20), fc.nat(255));
      });
      fc.assert(
        fc.property(frames, ([sound, place, byte]) => {
          const sent = Uint8Array.from(sound);
          sent[place % sent.length] = byte;
          const decoder = createDecoder();
          decoder.silence?.();
          for (const frame of [...decoder.push(sent, 0), ...(decoder.silence?.() ?? [])]) {
            if (!('fault' in frame)) continue;
            faults++;
            expectNothingOf(sent, frame.fault);
          }
        }),
        { seed: 6, numRuns: 300 },
      );
      if (protocol !== 'lines') expect(faults).to.be.above(100);
    });
  }
});

describe('a fault of an id', () => {
  const wrong = [
    '04A2B3C4D5\uFFFD',
    '0006547886\u0000',
    '04A2B3C4D5E6\uD800',
    '04A2B3C4D',
    '010063E9AE24',
    '9999999999',
    '99999999',
    '0x04A2B3C4',
    '1234567890123456789012',
  ];
  for (const spelling of spellingNames) {
    it(`shows nothing of an invalid id in the format ${spelling}`, () => {
      const format = createIdFormat({ spelling });
      let faults = 0;
      for (const text of wrong) {
        try {
          format.fromText(text);
        } catch (error) {
          faults++;
          expectNothingOf(Buffer.from(text), error as TallybookError);
        }
      }
      expect(faults).to.be.above(2);
    });
  }

  it('shows nothing of bytes that are too many', () => {
    const bytes = Buffer.from('0102030405060708090A0B', 'hex');
    try {
      createIdFormat().fromBytes(bytes);
      expect.fail('it was taken');
    } catch (error) {
      expectNothingOf(bytes, error as TallybookError);
    }
  });

  it('shows nothing of a UID in an unsuccessful answer of a card', () => {
    const answer = parseUidAnswer(Buffer.from('04A2B3C4D5E6', 'hex'));
    if (!('fault' in answer)) throw new Error('no fault');
    expect(answer.fault.details).to.deep.equal({ problem: 'an answer of 6 bytes' });
  });
});
