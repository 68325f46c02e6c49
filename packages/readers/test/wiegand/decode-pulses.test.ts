import fc from 'fast-check';
import { expect } from 'chai';
import {
  decodePulses,
  PARITY_LENGTHS,
  WIEGAND_LENGTHS,
  type Pulse,
} from '../../src/wiegand/wiegand-frame.js';
import { bitsOf, encodeBits, pulsesOf } from './wiegand-frames.js';

const isPlain = (length: number): boolean => !PARITY_LENGTHS.includes(length);

/** Ids in hex unchanged, faults as their messages. */
function decode(
  pulses: readonly Pulse[],
  lengths: readonly number[] = PARITY_LENGTHS,
  silenceMs = 50,
): string[] {
  return decodePulses(pulses, { lengths, silenceMs }).map((frame) =>
    'bytes' in frame
      ? Buffer.from(frame.bytes).toString('hex').toUpperCase()
      : String(frame.fault.details['problem']),
  );
}

const decodeBits = (bits: string, lengths?: readonly number[]): string[] => decode(pulsesOf(bits), lengths);

/** A frame of any length, and the id in it. */
const frame = fc.constantFrom(...WIEGAND_LENGTHS).chain((length) => {
  const dataLength = isPlain(length) ? length : length - 2;
  return fc.bigInt({ min: 0n, max: (1n << BigInt(dataLength)) - 1n }).map((number) => {
    const id = number
      .toString(16)
      .toUpperCase()
      .padStart(2 * Math.ceil(dataLength / 8), '0');
    return { id, bits: encodeBits(bitsOf(id, dataLength), isPlain(length)) };
  });
});
const checkedFrame = frame.filter(({ bits }) => !isPlain(bits.length));

/** Pulses of a frame within the limits of SIA, each at another distance. */
function jitter(bits: string, distancesUs: readonly number[], fromUs = 5_000_000): Pulse[] {
  let atUs = fromUs;
  return pulsesOf(bits).map(({ bit }, index) => ({ bit, atUs: (atUs += distancesUs[index] ?? NaN) }));
}
const distances = fc.array(fc.integer({ min: 200, max: 20_000 }), { minLength: 82, maxLength: 82 });

describe('decodePulses', () => {
  describe('decodes published frames', () => {
    const published: readonly (readonly [what: string, bits: string, id: string])[] = [
      // Manual of the Civintec CN56, section 6.4.
      ['26 bits of a CN56', '1 11010100 00011011 10000001 0', 'D41B81'],
      ['34 bits of a CN56', '1 10001001 11010100 00011011 10000001 1', '89D41B81'],
      // Example of jonathansm/wiegand-26bit-calculator: facility 227, card 57600.
      ['facility 227, card 57600', '01110001111100001000000000', 'E3E100'],
      // Manual of the DS-2CD7A26G0-P: card number 1234567890.
      ['card 1234567890 in 34 bits', '1 0100 1001 1001 0110 0000 0010 1101 0010 0', '499602D2'],
      // What a Proxmark3 read from real cards: 2006ec1258, facility 118, card 2348 (Proxmark/proxmark3 #327);
      ['a card that was read, facility 118, card 2348', bitsOf('06EC1258', 26), '76092C'],
      // 0584a2b940, H10302 number 11850046624, or H10304 facility 22602 and card 89248 (flipperzero-firmware #1029).
      ['a card that was read, 37 bits, number 11850046624', bitsOf('0584A2B940', 37), '02C2515CA0'],
    ];
    for (const [what, bits, id] of published) {
      it(what, () => {
        expect(decodeBits(bits.replaceAll(' ', ''))).to.deep.equal([id]);
      });
    }

    // Without a known parity, all bits are the id.
    for (const [what, bits, id] of [
      // Corporate 1000, 1337 and 2137, as a reader sent it (jkramarz/TheTick #20).
      ['35 bits of a Corporate 1000', bitsOf('04A72010B3', 35), '04A72010B3'],
      // 3d81024c30 of a card that was read, without the marks of its length (Proxmark/proxmark3 #978).
      ['36 bits of a card that was read', bitsOf('0D81024C30', 36), '0D81024C30'],
      ['the fewest bits', bitsOf('0A2B3C', 20), '0A2B3C'],
    ] as const) {
      it(what, () => {
        expect(decodeBits(bits, [bits.length])).to.deep.equal([id]);
        expect(decodeBits(bits)).to.deep.equal(['a frame of a wrong length']);
      });
    }

    it('the number of the card in the 35 bits of a frame of 37', () => {
      expect(Number('0x02C2515CA0')).to.equal(11_850_046_624);
      expect(bitsOf('02C2515CA0', 35)).to.equal(
        (22_602).toString(2).padStart(16, '0') + (89_248).toString(2).padStart(19, '0'),
      );
    });
  });

  it('gives for 26 bits the last 3 bytes that an RDM6300 gives for the same tag', () => {
    expect(decodeBits(encodeBits(bitsOf('63E9AE')))).to.deep.equal(['63E9AE']);
  });

  it('decodes frames of each length with any jitter, with pulses in any order', () => {
    const shuffled = fc.tuple(frame, distances).chain(([{ id, bits }, distancesUs]) => {
      const pulses = jitter(bits, distancesUs);
      return fc.tuple(
        fc.constant(id),
        fc.shuffledSubarray(pulses, { minLength: pulses.length, maxLength: pulses.length }),
      );
    });
    fc.assert(
      fc.property(shuffled, ([id, pulses]) => {
        expect(decode(pulses, WIEGAND_LENGTHS)).to.deep.equal([id]);
      }),
    );
  });

  it('separates successive frames, even after the shortest silence', () => {
    fc.assert(
      fc.property(frame, frame, distances, (first, second, distancesUs) => {
        const before = jitter(first.bits, distancesUs);
        const after = jitter(second.bits, [50_001, ...distancesUs], before.at(-1)?.atUs);
        expect(decode([...after, ...before], WIEGAND_LENGTHS)).to.deep.equal([first.id, second.id]);
      }),
    );
  });

  it('makes no id from a frame that lost a pulse at any place', () => {
    fc.assert(
      fc.property(checkedFrame, fc.nat(), ({ bits }, place) => {
        const at = place % bits.length;
        expect(decodeBits(bits.slice(0, at) + bits.slice(at + 1))).to.deep.equal([
          'a frame of a wrong length',
        ]);
      }),
    );
  });

  it('makes no id from a frame with an additional pulse at any place', () => {
    fc.assert(
      fc.property(checkedFrame, fc.nat(), fc.constantFrom('0', '1'), ({ bits }, place, extra) => {
        const at = place % (bits.length + 1);
        expect(decodeBits(bits.slice(0, at) + extra + bits.slice(at))).to.deep.equal([
          'a frame of a wrong length',
        ]);
      }),
    );
  });

  it('makes no id from a frame with a pulse on the wrong line at any place', () => {
    fc.assert(
      fc.property(checkedFrame, fc.nat(), ({ bits }, place) => {
        const at = place % bits.length;
        const flipped = bits.slice(0, at) + (bits[at] === '0' ? '1' : '0') + bits.slice(at + 1);
        // The middle bit of 37 counts in both parities, like all bits if the wires are swapped.
        const isMiddle = bits.length === 37 && at === 18;
        const more = isMiddle ? ', which is right if D0 and D1 are swapped' : '';
        expect(decodeBits(flipped)).to.deep.equal([`a frame with a wrong parity${more}`]);
      }),
    );
  });

  it('reports possibly swapped wires for every frame of swapped wires', () => {
    fc.assert(
      fc.property(checkedFrame, ({ bits }) => {
        const swapped = Array.from(bits, (bit) => (bit === '0' ? '1' : '0')).join('');
        expect(decodeBits(swapped)).to.deep.equal([
          'a frame with a wrong parity, which is right if D0 and D1 are swapped',
        ]);
      }),
    );
  });

  it('treats ringing edges, falling or rising, as one pulse', () => {
    const ringing = fc.array(fc.integer({ min: 0, max: 149 }), { minLength: 82, maxLength: 82 });
    fc.assert(
      fc.property(frame, distances, ringing, ({ id, bits }, distancesUs, afterUs) => {
        const pulses = jitter(bits, distancesUs);
        const more = pulses.map(({ bit, atUs }, index) => ({ bit, atUs: atUs + (afterUs[index] ?? 0) }));
        expect(decode([...pulses, ...more], WIEGAND_LENGTHS)).to.deep.equal([id]);
      }),
    );
  });

  it('treats pulses of one line that are 150 µs apart as two', () => {
    const [first = { bit: 0, atUs: 0 }, ...others] = pulsesOf(encodeBits(bitsOf('63E9AE')));
    expect(decode([first, { ...first, atUs: first.atUs + 149 }, ...others])).to.deep.equal(['63E9AE']);
    expect(decode([first, { ...first, atUs: first.atUs + 150 }, ...others])).to.deep.equal([
      'a frame of a wrong length',
    ]);
  });

  it('makes no id from a frame with pulses on both lines at once', () => {
    fc.assert(
      fc.property(checkedFrame, fc.nat(), fc.integer({ min: 0, max: 149 }), ({ bits }, place, afterUs) => {
        const pulses = pulsesOf(bits);
        const { bit, atUs } = pulses[place % pulses.length] ?? { bit: 0, atUs: 0 };
        const other: Pulse = { bit: bit === 0 ? 1 : 0, atUs: atUs + afterUs };
        expect(decode([...pulses, other])).to.deep.equal(['pulses on both lines at once']);
      }),
    );
  });

  it('treats pulses with exactly the allowed silence as one frame, and with more as several', () => {
    const bits = encodeBits(bitsOf('63E9AE'));
    expect(decode(pulsesOf(bits, 0, 50_000))).to.deep.equal(['63E9AE']);
    expect(decode(pulsesOf(bits, 0, 50_001))).to.have.length(26);
    expect(decode(pulsesOf(bits, 0, 30_000), PARITY_LENGTHS, 25)).to.have.length(26);
    expect(decode(pulsesOf(bits, 0, 30_000), PARITY_LENGTHS, 150)).to.deep.equal(['63E9AE']);
  });

  it('makes ids only from frames of the set lengths', () => {
    const bits = encodeBits(bitsOf('63E9AE'));
    expect(decodeBits(bits, [34, 37])).to.deep.equal(['a frame of a wrong length']);
    expect(decodeBits(bitsOf('63E9AE'), [26])).to.deep.equal(['a frame of a wrong length']);
    expect(decodeBits(bitsOf('63E9AE'), [24])).to.deep.equal(['63E9AE']);
  });

  it('makes no id from a key of a keypad', () => {
    for (const bits of ['0111', '11100001', '10110100']) {
      const [key] = decodePulses(pulsesOf(bits), { lengths: WIEGAND_LENGTHS, silenceMs: 50 });
      expect(key).to.have.property('isKey', true);
      expect(decodeBits(bits)).to.deep.equal(['a key of a keypad, which is no id']);
    }
    const [noise] = decodePulses(pulsesOf('01101'), { lengths: WIEGAND_LENGTHS, silenceMs: 50 });
    expect(noise).to.have.property('isKey', false);
  });

  it('reports the number of bits without their values', () => {
    const [broken] = decodePulses(pulsesOf('1'.repeat(27)), { lengths: [26], silenceMs: 50 });
    if (broken === undefined || !('fault' in broken)) throw new Error('it was taken');
    expect(broken.fault.code).to.equal('FRAME_INVALID');
    expect(broken.fault.details).to.deep.equal({ length: 27, problem: 'a frame of a wrong length' });
    expect(broken.fault.message).to.contain('27 bits').and.not.contain('11');
  });

  it('gives nothing without pulses', () => {
    expect(decode([])).to.be.empty;
  });
});
