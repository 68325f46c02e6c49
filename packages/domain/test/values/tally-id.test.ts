import { parseReadId, parseTallyId } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { forAll, tallyIdBytes, tallyIds } from '../fixtures/arbitraries.js';
import { thrownBy } from '../fixtures/throws.js';
import { isBlankTallyId } from '../../src/values/tally-id.js';

describe('parseTallyId', () => {
  const accepted: readonly [string, string][] = [
    ['04A2B3C4D5', '04A2B3C4D5'],
    ['04a2b3c4d5', '04A2B3C4D5'],
    ['04:a2:B3:c4:D5', '04A2B3C4D5'],
    ['04-A2-B3-C4-D5', '04A2B3C4D5'],
    ['04 A2 B3 C4 D5', '04A2B3C4D5'],
    ['04:A2-B3 C4D5', '04A2B3C4D5'],
    ['000000', '000000'],
    ['00'.repeat(9) + '01', '00000000000000000001'],
  ];
  for (const [text, id] of accepted) {
    it(`reads ${text} as ${id}`, () => {
      expect(parseTallyId(text)).to.equal(id);
    });
  }

  const refused: readonly [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a number', 123_456],
    ['a bigint', 123_456n],
    ['an array of text', ['010203']],
    ['no text', ''],
    ['two bytes', '0102'],
    ['eleven bytes', '01'.repeat(11)],
    ['half a byte', '0102030'],
    ['a digit that is not hex', '01020G'],
    ['another separator', '01.02.03'],
    ['two separators in a row', '01::02:03'],
    ['a separator within a byte', '0:10:20:3'],
    ['a separator at the start', ':010203'],
    ['a separator at the end', '010203:'],
    ['space around it', ' 010203 '],
    ['a line end', '010203\n'],
    ['a prefix', '0x010203'],
    ['full-width digits', '０１０２０３'],
  ];
  for (const [what, text] of refused) {
    it(`refuses ${what}`, () => {
      thrownBy('INVALID_TALLY_ID', () => parseTallyId(text));
    });
  }

  const described: readonly [unknown, string][] = [
    ['04A2B3C4D', '9 characters'],
    ['0:4A2B3C4', '9 characters'],
    ['Ada', '3 characters'],
    ['', '0 characters'],
    ['Bee 1 x', '7 characters, some of them not hex digits'],
    [123_456, 'a number'],
    [['010203'], 'an array'],
  ];
  for (const [value, what] of described) {
    it(`says what is allowed, and describes ${JSON.stringify(value)} only as ${what}`, () => {
      const { message } = thrownBy('INVALID_TALLY_ID', () => parseTallyId(value));
      expect(message).to.match(new RegExp(`3 to 10 bytes in hex.*; got ${what}$`));
    });
  }

  it('reads every spelling of the same bytes as the same id', () => {
    const separators = fc.array(fc.constantFrom('', ':', '-', ' '), { minLength: 10, maxLength: 10 });
    forAll([tallyIdBytes, separators, fc.boolean()], (bytes, between, isUpper) => {
      const text = bytes
        .map((byte, index) => (index === 0 ? byte : `${between[index] ?? ''}${byte}`))
        .join('');
      const id = parseTallyId(isUpper ? text.toUpperCase() : text);
      expect(id).to.equal(bytes.join('').toUpperCase());
    });
  });

  it('reads a canonical id as itself', () => {
    forAll([tallyIds], (id) => {
      expect(parseTallyId(id)).to.equal(id);
    });
  });

  it('returns a canonical id or throws, for every value', () => {
    forAll([fc.anything({ withBigInt: true, withNullPrototype: true })], (value) => {
      thrownBy('INVALID_TALLY_ID', () => parseTallyId(value));
    });
    forAll(
      [fc.string({ unit: fc.constantFrom('0', 'a', 'F', ':', ' ', '-', 'g') })],
      (text) => {
        const isSpelled = /^([0aF]{2})([ :-]?[0aF]{2}){2,9}$/.test(text);
        if (isSpelled) expect(parseTallyId(text)).to.match(/^(?:[0AF]{2}){3,10}$/);
        else thrownBy('INVALID_TALLY_ID', () => parseTallyId(text));
      },
      { numRuns: 2_000 },
    );
  });
});

describe('parseReadId', () => {
  it('reads all ids that parseTallyId reads', () => {
    expect(parseReadId('04:a2:b3:c4:d5')).to.equal('04A2B3C4D5');
    thrownBy('INVALID_TALLY_ID', () => parseReadId('no id'));
  });

  for (const bytes of [3, 4, 5, 7, 8, 10]) {
    it(`refuses ${bytes} bytes of only 0 and of only F digits`, () => {
      for (const digit of ['0', 'F', 'f']) {
        thrownBy('BLANK_TALLY_ID', () => parseReadId(digit.repeat(2 * bytes)));
      }
    });
  }

  it('refuses the ids that stand for persons without a tag, and does not repeat them', () => {
    for (const text of ['FF5442AABBCCDDEEFF00', 'ff:54:42:00:00:00:00:00:00:00', 'FF5442FFFFFFFFFFFFFF']) {
      const { message } = thrownBy('RESERVED_TALLY_ID', () => parseReadId(text));
      expect(message).to.not.include('BBCC');
      expect(parseTallyId(text)).to.match(/^FF5442/);
    }
  });

  it('reads shorter ids with these first bytes, and others of ten bytes', () => {
    for (const id of ['FF5442', 'FF5442AABBCCDDEEFF', 'FF5443AABBCCDDEEFF00', '00FF5442AABBCCDDEEFF'])
      expect(parseReadId(id)).to.equal(id);
  });

  it('reads ids that also contain other digits', () => {
    for (const id of ['000001', '100000', 'FFFFFE', '0FFFFF', '00FF00', 'F0F0F0']) {
      expect(isBlankTallyId(parseReadId(id))).to.equal(false);
    }
  });
});
