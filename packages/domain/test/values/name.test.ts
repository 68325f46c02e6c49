import { NAME_PART_MAX_LENGTH, parseKeptName, parseName } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { names, forAll } from '../fixtures/arbitraries.js';
import { normalisedBy } from '../fixtures/normalised.js';
import { thrownBy } from '../fixtures/throws.js';

describe('parseName', () => {
  it('keeps first and last and nothing else', () => {
    expect(parseName({ first: 'Ada', last: 'Lovelace', title: 'Countess' })).to.deep.equal({
      first: 'Ada',
      last: 'Lovelace',
    });
  });

  it('trims both parts', () => {
    expect(parseName({ first: ' \t\u00A0Ada ', last: 'King  Lovelace\n' })).to.deep.equal({
      first: 'Ada',
      last: 'King  Lovelace',
    });
  });

  it('lets one of the two be empty', () => {
    expect(parseName({ first: '', last: 'Plato' })).to.deep.equal({ first: '', last: 'Plato' });
    expect(parseName({ first: 'Plato', last: ' ' })).to.deep.equal({ first: 'Plato', last: '' });
  });

  it('counts the length in code points, after normalising and trimming', () => {
    const longest = '𝒜'.repeat(NAME_PART_MAX_LENGTH);
    expect(parseName({ first: longest, last: '' }).first).to.equal(longest);
    expect(parseName({ first: ` ${'e\u0301'.repeat(NAME_PART_MAX_LENGTH)} `, last: '' }).first).to.equal(
      'é'.repeat(NAME_PART_MAX_LENGTH),
    );
    const { message } = thrownBy('INVALID_NAME', () => parseName({ first: `${longest}x`, last: '' }));
    expect(message).to.include('at most 100 characters; it has 101');
  });

  it('is not brought to NFC if it is too long for a name: V8 takes seconds for 130,000 marks', () => {
    for (const parse of [parseName, parseKeptName]) {
      const lengths = normalisedBy(() => {
        const value = { first: `a${'\u0300\u0316'.repeat(65_000)}`, last: '' };
        const { message } = thrownBy('INVALID_NAME', () => parse(value));
        expect(message).to.include('at most 100 characters; it has 130001');
      });
      expect(lengths).to.deep.equal([]);
    }
    // Four code points become one.
    const longest = '\u1F82'.repeat(NAME_PART_MAX_LENGTH);
    expect(parseName({ first: ` ${longest.normalize('NFD')} `, last: '' }).first).to.equal(longest);
  });

  const refused: readonly [what: string, field: string, value: unknown][] = [
    ['nothing', 'name', undefined],
    ['null', 'name', null],
    ['text', 'name', 'Ada Lovelace'],
    ['a number', 'name', 7],
    ['an array', 'name', ['Ada', 'Lovelace']],
    ['a missing first', 'name.first', { last: 'Lovelace' }],
    ['a missing last', 'name.last', { first: 'Ada' }],
    ['a first that is no text', 'name.first', { first: 1, last: 'Lovelace' }],
    ['a last that is null', 'name.last', { first: 'Ada', last: null }],
    ['two empty parts', 'name', { first: '', last: '' }],
    ['two parts of only space', 'name', { first: ' \u2003', last: '\t\n' }],
    ['a control character', 'name.first', { first: 'A\u0000da', last: 'Lovelace' }],
    ['a line end', 'name.last', { first: 'Ada', last: 'Love\nlace' }],
    ['a delete character', 'name.first', { first: 'Ada\u007F', last: '' }],
    ['a C1 control character', 'name.last', { first: 'Ada', last: '\u009B1m' }],
    ['half a surrogate pair', 'name.first', { first: 'Ada\uD83D', last: 'Lovelace' }],
    ['an embedding that turns the direction', 'name.first', { first: 'Ada\u202E', last: 'x' }],
    ['an isolate', 'name.last', { first: 'Ada', last: '\u2066x\u2069' }],
    ['a right-to-left mark', 'name.last', { first: 'Ada', last: '\u05D0\u200F' }],
    ['a noncharacter', 'name.first', { first: 'A\uFFFEda', last: '' }],
    ['a noncharacter of another plane', 'name.first', { first: 'A\u{10FFFF}', last: '' }],
    ['a part of only a zero-width space', 'name.first', { first: '\u200B', last: 'Lovelace' }],
    ['a part of only joiners and soft hyphens', 'name.last', { first: 'Ada', last: '\u200D\u00AD' }],
    ['a part of only a Hangul filler', 'name.first', { first: '\u3164', last: '' }],
    ['a part of only a blank of Braille', 'name.first', { first: '\u2800', last: '' }],
    ['a part of only invisible tags', 'name.first', { first: '\u{E0041}\u{E007F}', last: '' }],
    ['101 characters', 'name.last', { first: 'Ada', last: 'x'.repeat(101) }],
  ];
  for (const [what, field, value] of refused) {
    it(`refuses ${what} and names ${field}`, () => {
      const error = thrownBy('INVALID_NAME', () => parseName(value));
      expect(error.details).to.deep.equal({ field });
      expect(error.message).to.match(new RegExp(`^${field} must `));
    });
  }

  it('names the refused character', () => {
    const { message } = thrownBy('INVALID_NAME', () => parseName({ first: 'Ada\u202E', last: '' }));
    expect(message).to.equal(
      'name.first must not contain characters that turn the direction of text; it has U+202E',
    );
  });

  it('accepts characters that scripts need: joiners within a name, marks, right-to-left letters, emoji', () => {
    for (const first of [
      '\u0645\u06CC\u200C\u062E',
      '\u05D0\u05D1',
      'न\u094D\u200Dय',
      '👩\u200D🚀',
      '\uFDFA',
      'Ỷ\u0323',
    ]) {
      expect(parseName({ first, last: '' }).first).to.equal(first.normalize('NFC'));
    }
  });

  it('shows nothing of a name in its messages', () => {
    const values = [
      'Lovelace',
      ['Lovelace'],
      { first: ['Lovelace'], last: '' },
      { first: { x: 'Lovelace' }, last: '' },
      { first: 'Lovelace\u0000', last: '' },
      { first: 'Lovelace'.repeat(20), last: '' },
    ];
    for (const value of values) {
      expect(thrownBy('INVALID_NAME', () => parseName(value)).message).to.not.include('Lovelace');
    }
  });

  it('reads a name that it returned as the same name', () => {
    forAll([names], (name) => {
      expect(parseName(name)).to.deep.equal(name);
    });
  });

  it('returns a valid name or throws, for all texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(' ', '\n', 'e', '\u0301') }),
    );
    forAll([text, text], (first, last) => {
      const parts = [first, last].map((each) => each.normalize().trim());
      const unwanted = /\p{Cc}|\p{Bidi_Control}|\p{Noncharacter_Code_Point}/u;
      const isSeen = (part: string): boolean =>
        !/^(?:\p{White_Space}|\p{Default_Ignorable_Code_Point}|\p{Cf}|\u2800)+$/u.test(part);
      const isFine = parts.every((part) => !unwanted.test(part) && isSeen(part));
      const isEmpty = first.trim() === '' && last.trim() === '';
      if (!isFine || isEmpty) {
        thrownBy('INVALID_NAME', () => parseName({ first, last }));
        return;
      }
      expect(parseName({ first, last })).to.deep.equal({
        first: first.normalize('NFC').trim(),
        last: last.normalize('NFC').trim(),
      });
    });
  });
});

describe('parseKeptName', () => {
  it('accepts names of earlier rules, so that no name is lost', () => {
    for (const first of ['Ada\u202E', 'A\uFFFEda', '\u200B', 'Ada']) {
      expect(parseKeptName({ first, last: '' })).to.deep.equal({ first, last: '' });
    }
  });

  it('refuses names that were never accepted', () => {
    for (const first of ['Ada\u0000', '\uD83D', 'x'.repeat(101), '', 7]) {
      thrownBy('INVALID_NAME', () => parseKeptName({ first, last: '' }));
    }
  });
});
