import { createHash } from 'node:crypto';
import { isTallybookError, parseTallyId, type IdFormatOptions } from '@tallybook/domain';
import { decidedReading, TypedIds } from '@tallybook/domain/record';
import { remainingReadings } from '../../../src/record/names/typed-ids.js';
import { expect } from 'chai';

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const dec10: IdFormatOptions = { spelling: 'dec10' };
const dec: IdFormatOptions = { spelling: 'dec' };
const text: IdFormatOptions = { spelling: 'text' };

function typed(...formats: readonly IdFormatOptions[]): TypedIds {
  return new TypedIds(formats, digest);
}

interface Case {
  readonly readers: readonly IdFormatOptions[];
  readonly text: string;
  readonly known?: readonly string[];
  readonly format?: string;
}

/** The id of a text; `A | B` if two readings remain; the error code if there is none. */
function read({ readers, text: said, known = [], format }: Case): string {
  try {
    const readings = typed(...readers).readings(said, format);
    const remaining = remainingReadings(readings, (id) => known.includes(id));
    const decided = decidedReading(readings);
    if (decided !== undefined) expect(remaining).to.deep.equal([decided]);
    return remaining.map(({ id }) => id).join(' | ') || 'no id';
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return error.code;
  }
}

function describeCase({ readers, text: said, known, format }: Case): string {
  const parameters = (options: IdFormatOptions): string =>
    new URLSearchParams(Object.entries(options)).toString();
  return [
    `${said} at readers of ${readers.map(parameters).join(' and ') || 'hex'}`,
    ...(format === undefined ? [] : [`as ${format}`]),
    ...(known === undefined ? [] : [`with known ${known.join(', ')}`]),
  ].join(', ');
}

const hexOf = (said: string): string => digest(said).slice(0, 20).toUpperCase();

describe('TypedIds', () => {
  const cases: readonly (Case & { readonly id: string })[] = [
    // Readers of hex, the default.
    { readers: [], text: '0563537489', id: '0563537489' },
    { readers: [{}], text: '0563537489', id: '0563537489' },
    { readers: [{ technology: 'iso14443' }], text: '04-a2-b3-c4', id: '04A2B3C4' },
    { readers: [{}], text: '056353748', id: 'INVALID_TALLY_ID' },
    { readers: [{}], text: ' 0563537489', id: 'INVALID_TALLY_ID' },
    { readers: [{ keep: 4 }], text: '010063E9AE', id: '010063E9AE' },
    { readers: [{ keep: 4 }], text: '010063E9AE', known: ['0063E9AE'], id: '0063E9AE' },
    { readers: [{ spelling: 'hex-xor' }], text: '010063E9AE25', id: '010063E9AE25' },
    { readers: [{ spelling: 'hex-xor' }], text: '010063E9AE25', known: ['010063E9AE'], id: '010063E9AE' },

    // A number with a fixed length.
    { readers: [dec10], text: '0563537489', id: '2196E651' },
    { readers: [dec10], text: '0009351929', id: '008EB2F9' },
    { readers: [dec10, dec10], text: ' 0009351929\t', id: '008EB2F9' },
    { readers: [dec10], text: '9351929', id: '008EB2F9' },
    { readers: [dec10], text: '563537489', id: '2196E651' },
    { readers: [dec10], text: '12345678', id: '12345678' },
    { readers: [dec10], text: '12345678', known: ['00BC614E'], id: '00BC614E' },
    { readers: [dec10], text: '12345678', known: ['00BC614E', '12345678'], id: '12345678' },
    { readers: [dec10], text: '2196E651', id: '2196E651' },
    { readers: [dec10], text: '21 96 35 51', id: '21963551' },
    { readers: [dec10], text: '04A2B3C4D5E6F7', id: '04A2B3C4D5E6F7' },
    { readers: [dec10], text: '9999999999', id: 'no id' },
    { readers: [dec10], text: '999999999999', id: 'no id' },
    { readers: [dec10], text: '0000000000', id: 'no id' },
    { readers: [dec10], text: 'Ada', id: 'INVALID_TALLY_ID' },
    { readers: [dec10], text: '056353748,9', id: 'INVALID_TALLY_ID' },
    { readers: [{ spelling: 'dec13' }], text: '4301515182', id: '010063E9AE | 4301515182' },
    { readers: [{ spelling: 'dec13' }], text: '4301515182', known: ['4301515182'], id: '4301515182' },
    { readers: [{ spelling: 'dec13' }], text: '43015151820', id: '0A03E720CC' },
    { readers: [{ spelling: 'dec13' }], text: '0004301515182', id: '010063E9AE' },
    { readers: [{ spelling: 'dec13' }], text: '004301515182', id: '010063E9AE' },
    { readers: [{ spelling: 'dec8' }], text: '06547886', id: '63E9AE' },
    { readers: [{ spelling: 'dec8' }], text: '6547886', id: '63E9AE' },
    { readers: [{ spelling: 'dec8' }], text: '0006547886', id: 'no id' },
    { readers: [{ spelling: 'dec3-5' }], text: '099,59822', id: '63E9AE' },
    { readers: [{ spelling: 'dec3-5' }], text: '99,59822', id: '63E9AE' },
    { readers: [{ spelling: 'dec3-5' }], text: '09959822', id: '63E9AE' },
    { readers: [{ spelling: 'dec3-5' }], text: '099,5982', id: 'INVALID_TALLY_ID' },
    { readers: [{ spelling: 'dec5-5' }], text: '99.59822', id: '0063E9AE' },

    // Old ids of 5 bytes of digits alone.
    { readers: [dec10], text: '0006547886', known: ['0006547886'], id: '0006547886' },
    { readers: [dec10], text: '0006547886', known: ['0063E9AE'], id: '0063E9AE' },
    { readers: [dec10], text: '0006547886', known: ['0063E9AE', '0006547886'], id: '0063E9AE | 0006547886' },
    { readers: [dec10], text: '9999999999', known: ['9999999999'], id: '9999999999' },

    // Order and number of bytes as the reader delivers them.
    { readers: [{ ...dec10, keep: 3 }], text: '0006547886', id: '63E9AE' },
    { readers: [{ ...dec10, keep: 3 }], text: '635982', id: '635982' },
    { readers: [{ ...dec10, keep: 3, order: 'reversed' }], text: '2934530816', id: '63E9AE' },

    // Numbers without a fixed length.
    { readers: [dec], text: '6547886', id: '0063E9AE' },
    { readers: [dec], text: '0006547886', id: '0063E9AE' },
    { readers: [dec], text: '12345678', id: '00BC614E | 12345678' },
    { readers: [dec], text: '12345678', known: ['12345678'], id: '12345678' },
    { readers: [dec], text: '12345678', known: ['00BC614E'], id: '00BC614E' },
    { readers: [dec], text: '12345678', known: ['00BC614E', '12345678'], id: '00BC614E | 12345678' },
    { readers: [dec], text: '06547886', id: '06547886' },
    { readers: [{ spelling: 'wiegand26' }], text: '6547886', id: '63E9AE' },
    { readers: [{ spelling: 'wiegand26' }], text: '654788', id: '09FDC4 | 654788' },

    // Text.
    { readers: [text], text: 'M-004711', id: '9263E6C9228C4B4E188C' },
    { readers: [text], text: '20041122', id: hexOf('20041122') },
    { readers: [text], text: 'FACADE', id: hexOf('FACADE') },
    { readers: [text], text: 'FACADE', known: ['FACADE'], id: 'FACADE' },
    { readers: [text], text: '9263E6C9228C4B4E188C', id: '9263E6C9228C4B4E188C' },
    { readers: [text], text: '\u0000', id: 'INVALID_TALLY_ID' },

    // Several kinds of readers.
    { readers: [{}, dec10], text: '0563537489', id: '0563537489 | 2196E651' },
    { readers: [{}, dec10], text: '0563537489', known: ['2196E651'], id: '2196E651' },
    { readers: [{}, dec10], text: '9351929', id: '008EB2F9' },
    { readers: [{}, text], text: '20041122', id: `20041122 | ${hexOf('20041122')}` },
    { readers: [{}, text], text: '04A2B3C4', id: '04A2B3C4' },
    { readers: [{}, text], text: 'M-004711', id: '9263E6C9228C4B4E188C' },
    { readers: [{ ...dec10, keep: 3 }, dec10], text: '0006547886', id: '63E9AE | 0063E9AE' },

    // A format that is given.
    { readers: [dec10], text: '0563537489', format: 'hex', id: '0563537489' },
    { readers: [], text: '0563537489', format: 'dec10', id: '2196E651' },
    { readers: [], text: '9351929', format: 'dec10', id: '008EB2F9' },
    { readers: [dec], text: '12345678', format: 'dec', id: '00BC614E' },
    { readers: [dec10], text: '12345678', format: 'dec10', known: ['12345678'], id: '00BC614E' },
    { readers: [{ ...dec10, keep: 3 }], text: '0006547886', format: 'dec10', id: '63E9AE' },
    { readers: [], text: 'FACADE', format: 'text', id: hexOf('FACADE') },
    { readers: [], text: '2196E651', format: 'dec10', id: 'INVALID_TALLY_ID' },
    { readers: [], text: '010063E9AE25', format: 'hex-xor', id: '010063E9AE' },
    { readers: [], text: '2196E651', format: 'dez10', id: 'INVALID_OPTION' },
  ];
  for (const { id, ...each } of cases) {
    it(`reads ${describeCase(each)}, as ${id}`, () => {
      expect(read(each)).to.equal(id);
    });
  }

  it('needs no knowledge of tags for an id in canonical form, or if all readers deliver hex', () => {
    expect(decidedReading(typed().readings('0563537489'))?.id).to.equal('0563537489');
    expect(decidedReading(typed(dec10).readings('2196E651'))?.id).to.equal('2196E651');
    expect(decidedReading(typed(dec10).readings('0563537489'))).to.equal(undefined);
  });

  it('gives the spelling in which the text was read', () => {
    const [number] = typed(dec10).readings('0563537489').likely;
    expect(number).to.deep.equal({ id: '2196E651', format: 'dec10' });
    const [short] = typed(dec10).readings('9351929').likely;
    expect(short).to.deep.equal({ id: '008EB2F9', format: 'dec10', hasOtherZeros: true });
  });

  it('reads every canonical id of a reader of numbers as itself once it is known', () => {
    for (const readers of [
      dec10,
      dec,
      { spelling: 'dec8' },
      { spelling: 'wiegand26' },
      { spelling: 'dec13' },
    ] as const) {
      for (const said of ['010203', '12345678', '0006547886', '123456789012', '00112233445566778899']) {
        expect(read({ readers: [readers], text: said, known: [parseTallyId(said)] })).to.equal(said);
      }
    }
  });

  it('refuses values of other kinds as ever, and says what is allowed', () => {
    expect(() => typed(dec10).readings(563537489)).to.throw(/in hex.*; got a number/);
    expect(() => typed(dec10).readings('Ada Lovelace')).to.throw(
      'an id is written here as 10 decimal digits up to 4294967295, or hex with a letter or with separators between bytes; got 12 characters',
    );
    expect(() => typed().readings('Ada')).to.throw(/^a tally id is 3 to 10 bytes in hex/);
  });

  it('lists the spellings of the readers', () => {
    expect(typed().spellings).to.deep.equal(['hex']);
    expect(typed(dec10, { ...dec10, keep: 3 }, {}).spellings).to.deep.equal(['dec10', 'hex']);
  });
});
