import { DeviceUrl } from '@tallybook/devices';
import { isTallybookError, parseTallyId } from '@tallybook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { createIdFormat, type IdFormatOptions } from '../../src/index.js';
import { readFormat } from '../../src/formats/id-format.js';

/** The id from a text, or the error code. */
function read(text: string, options: IdFormatOptions = {}): string {
  return codeOr(() => createIdFormat(options).fromText(text));
}

/** The id from bytes in hex, or the error code. */
function take(bytes: string, options: IdFormatOptions = {}): string {
  return codeOr(() => createIdFormat(options).fromBytes(Buffer.from(bytes, 'hex')));
}

function codeOr(make: () => string): string {
  try {
    return make();
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return error.code;
  }
}

type Spelling = NonNullable<IdFormatOptions['spelling']>;

describe('createIdFormat', () => {
  // A card with the print "0006547886 099,59822", and the text that each kind of reader sends for it.
  const printed: readonly (readonly [spelling: Spelling, text: string, id: string])[] = [
    ['hex', '010063E9AE', '010063E9AE'],
    ['hex', '01:00:63:e9:ae', '010063E9AE'],
    ['hex', '04A1B2C3D4E580', '04A1B2C3D4E580'],
    ['hex-xor', '010063E9AE25', '010063E9AE'],
    ['hex-xor', '62E3086CED08', '62E3086CED'],
    ['dec13', '0004301515182', '010063E9AE'],
    ['dec13', '004301515182', '010063E9AE'],
    ['dec13', '4301515182', '010063E9AE'],
    ['dec13', '6547886', '000063E9AE'],
    ['dec10', '0006547886', '0063E9AE'],
    ['dec5-5', '00099,59822', '0063E9AE'],
    ['dec5-5', '0009959822', '0063E9AE'],
    ['dec', '6547886', '0063E9AE'],
    ['dec8', '06547886', '63E9AE'],
    ['dec3-5', '099,59822', '63E9AE'],
    ['dec3-5', '099.59822', '63E9AE'],
    ['dec3-5', '09959822', '63E9AE'],
    ['wiegand26', '6547886', '63E9AE'],
    ['wiegand26', '7748328', '763AE8'],
    ['wiegand26', '1', '000001'],
  ];
  for (const [spelling, text, id] of printed) {
    it(`reads ${text} in ${spelling} as ${id}`, () => {
      expect(read(text, { spelling })).to.equal(id);
    });
  }

  const refused: Readonly<Record<Spelling, readonly string[]>> = {
    hex: ['0006547', '010063E9AG', ''],
    'hex-xor': ['010063E9AE24', '010063E9AE', 'XXXXXXXXXXXX'],
    dec: ['06547886', '4294967296', '-1', '1.0', '1e5', 'FFFFFFFFFF', ''],
    dec8: ['6547886', '006547886', '16777216', 'XXXXXXXX'],
    dec10: ['6547886', '00006547886', '4294967296', '9999999999', '000654788A', '٠٠٠٦٥٤٧٨٨٦', ' 006547886'],
    dec13: ['04301515182', '0004301515', '1099511627776', '00004301515182', ''],
    'dec3-5': ['256,00001', '099,65536', '99,59822', '099,5982', '099,,59822', '099;59822'],
    'dec5-5': ['65536,00000', '00000,65536', '99,59822'],
    wiegand26: ['06547886', '16777216', ''],
    text: ['', 'a\u0000b'],
  };
  for (const [spelling, texts] of Object.entries(refused) as [Spelling, readonly string[]][]) {
    for (const text of texts) {
      it(`refuses ${JSON.stringify(text)} in ${spelling}`, () => {
        expect(read(text, { spelling })).to.equal('INVALID_TALLY_ID');
      });
    }
  }

  const blank: readonly (readonly [Spelling, string])[] = [
    ['hex', '0000000000'],
    ['hex', 'FFFFFFFFFF'],
    ['hex-xor', '000000000000'],
    ['dec10', '0000000000'],
    ['dec10', '4294967295'],
    ['dec3-5', '255,65535'],
    ['wiegand26', '0'],
  ];
  for (const [spelling, text] of blank) {
    it(`reads ${text} in ${spelling} as "no tag"`, () => {
      expect(read(text, { spelling })).to.equal('BLANK_TALLY_ID');
    });
  }

  it('gives a card one id on readers of every kind with one format', () => {
    expect(read('0006547886', { spelling: 'dec10' })).to.equal(take('010063E9AE', { spelling: 'dec10' }));
    expect(read('099,59822', { spelling: 'dec3-5' })).to.equal(take('010063E9AE', { spelling: 'dec3-5' }));
    expect(take('63E9AE', { spelling: 'wiegand26' })).to.equal(take('010063E9AE', { spelling: 'wiegand26' }));
    expect(take('010063E9AE', { keep: 3 })).to.equal(read('6547886', { spelling: 'wiegand26' }));
  });

  it('keeps the least significant bytes, and does not change a shorter id', () => {
    expect(take('010063E9AE', { keep: 4 })).to.equal('0063E9AE');
    expect(take('010063E9AE', { keep: 3 })).to.equal('63E9AE');
    expect(take('63E9AE', { keep: 4 })).to.equal('63E9AE');
    expect(read('0006547886', { spelling: 'dec10', keep: 3 })).to.equal('63E9AE');
    expect(read('0006547886', { spelling: 'dec10', keep: 7 })).to.equal('0063E9AE');
  });

  it('puts bytes in order before it cuts', () => {
    expect(take('AEE9630001', { order: 'reversed' })).to.equal('010063E9AE');
    expect(take('AEE9630001', { order: 'reversed', keep: 3 })).to.equal('63E9AE');
    expect(read('AE:E9:63:00', { order: 'reversed' })).to.equal('0063E9AE');
    expect(take('010063E9AE', { order: 'straight' })).to.equal('010063E9AE');
  });

  it('refuses an id as blank if it is blank after the cut', () => {
    expect(take('0100000000', { keep: 4 })).to.equal('BLANK_TALLY_ID');
  });

  it('refuses an id that stands for a person without a tag, after the order and the cut', () => {
    expect(take('FF5442AABBCCDDEEFF00')).to.equal('RESERVED_TALLY_ID');
    expect(read('ff:54:42:aa:bb:cc:dd:ee:ff:00')).to.equal('RESERVED_TALLY_ID');
    expect(take('00FFEEDDCCBBAA4254FF', { order: 'reversed' })).to.equal('RESERVED_TALLY_ID');
    expect(take('FF5442AABBCCDDEEFF00', { order: 'reversed' })).to.equal('00FFEEDDCCBBAA4254FF');
    expect(take('FF5442AABBCCDDEEFF00', { keep: 7 })).to.equal('AABBCCDDEEFF00');
  });

  it('refuses fewer than 3 and more than 10 bytes', () => {
    expect(take('0102')).to.equal('INVALID_TALLY_ID');
    expect(take('0102030405060708090A0B', { keep: 3 })).to.equal('INVALID_TALLY_ID');
  });

  it('shows only texts that look like a number in its errors', () => {
    const format = createIdFormat({ spelling: 'dec10' });
    expect(() => format.fromText('9999999999')).to.throw(
      '10 decimal digits up to 4294967295; got 10 characters',
    );
    expect(() => format.fromText('Ada Lovelace')).to.throw(/got 12 characters, some of them not digits/);
  });

  for (const keep of [2, 11, NaN, 3.5]) {
    it(`refuses to keep ${keep} bytes`, () => {
      expect(() => createIdFormat({ keep }))
        .to.throw('keep is a whole number from 3 to 10')
        .with.property('code', 'INVALID_OPTION');
    });
  }

  const notBlank = (bytes: Uint8Array): boolean => new Set(bytes).size > 1;
  const bytesOf = (length: number): fc.Arbitrary<Uint8Array> =>
    fc.uint8Array({ minLength: length, maxLength: length }).filter(notBlank);
  const written: readonly (readonly [Spelling, number, (id: Buffer) => string])[] = [
    ['dec13', 5, (id) => String(id.readUIntBE(0, 5)).padStart(13, '0')],
    ['dec13', 5, (id) => String(id.readUIntBE(0, 5))],
    ['dec10', 4, (id) => String(id.readUInt32BE()).padStart(10, '0')],
    ['dec', 4, (id) => String(id.readUInt32BE())],
    ['dec8', 3, (id) => String(id.readUIntBE(0, 3)).padStart(8, '0')],
    ['wiegand26', 3, (id) => String(id.readUIntBE(0, 3))],
    ['dec5-5', 4, (id) => `${pad5(id.readUInt16BE())},${pad5(id.readUInt16BE(2))}`],
    ['dec3-5', 3, (id) => `${String(id.readUInt8()).padStart(3, '0')},${pad5(id.readUInt16BE(1))}`],
    ['hex', 7, (id) => id.toString('hex')],
  ];
  for (const [spelling, length, write] of written) {
    it(`reads every id that was written in ${spelling}, with the same result as from its bytes`, () => {
      fc.assert(
        fc.property(bytesOf(length), (bytes) => {
          const hex = Buffer.from(bytes).toString('hex').toUpperCase();
          expect(read(write(Buffer.from(bytes)), { spelling })).to.equal(hex);
          expect(take(hex, { spelling })).to.equal(hex);
        }),
        { seed: 1, numRuns: 300 },
      );
    });
  }

  it('reverses reversed ids', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 3, maxLength: 10 }).filter(notBlank), (bytes) => {
        const reversed = take(Buffer.from(bytes).toString('hex'), { order: 'reversed' });
        expect(take(reversed, { order: 'reversed' })).to.equal(
          parseTallyId(Buffer.from(bytes).toString('hex')),
        );
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

function pad5(number: number): string {
  return String(number).padStart(5, '0');
}

describe('readFormat', () => {
  it('reads ids in hex by default, in their order', () => {
    const format = readFormat(new DeviceUrl('stdin:'));
    expect(format.fromText('01-00-63-e9-ae')).to.equal('010063E9AE');
    expect(format.fromBytes(Uint8Array.of(1, 0, 0x63, 0xe9, 0xae))).to.equal('010063E9AE');
  });

  it('reads format, order and keep', () => {
    const format = readFormat(new DeviceUrl('stdin:?format=dec10&order=reversed&keep=3'));
    expect(format.fromText('2934530816')).to.equal('63E9AE');
  });
});
