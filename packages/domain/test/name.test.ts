import { NAME_PART_MAX_LENGTH, parseName } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { names, forAll } from './arbitraries.js';
import { thrownBy } from './throws.js';

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

  it('brings both parts to NFC', () => {
    expect(parseName({ first: 'Zoe\u0308', last: '\u212Bngstro\u0308m' })).to.deep.equal({
      first: 'Zo\u00EB',
      last: '\u00C5ngstr\u00F6m',
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
    ['101 characters', 'name.last', { first: 'Ada', last: 'x'.repeat(101) }],
  ];
  for (const [what, field, value] of refused) {
    it(`refuses ${what} and names ${field}`, () => {
      const error = thrownBy('INVALID_NAME', () => parseName(value));
      expect(error.details).to.deep.equal({ field });
      expect(error.message).to.match(new RegExp(`^${field} must `));
    });
  }

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

  it('returns what it promises or throws, whatever the texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(' ', '\n', 'e', '\u0301') }),
    );
    forAll([text, text], (first, last) => {
      const isFine = [first, last].every((each) => !/\p{Cc}/u.test(each.normalize().trim()));
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
