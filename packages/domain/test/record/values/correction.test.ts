import { parseCorrectionAction, parseReason } from '@tallybook/domain/record';
import { expect } from 'chai';
import { normalisedBy } from '../../fixtures/normalised.js';
import { thrownBy } from '../../fixtures/throws.js';

describe('A reason', () => {
  it('is trimmed and brought to NFC', () => {
    expect(parseReason('  Vergessen zu buchen, Zoe\u0308 ')).to.equal('Vergessen zu buchen, Zo\u00EB');
  });

  for (const reason of ['abc', 'x'.repeat(500), '👋'.repeat(500), '"quoted" \\ <b>&amp;']) {
    it(`may be ${reason.slice(0, 20)}`, () => {
      expect(parseReason(reason)).to.equal(reason);
    });
  }

  it('is not brought to NFC if it is too long: V8 takes seconds for 130,000 marks', () => {
    const lengths = normalisedBy(() => {
      thrownBy('INVALID_CORRECTION', () => parseReason(`a${'\u0300\u0316'.repeat(65_000)}`));
    });
    expect(lengths).to.deep.equal([]);
    const longest = '\u1F82'.repeat(500);
    expect(parseReason(longest.normalize('NFD'))).to.equal(longest);
  });

  const refused: Readonly<Record<string, unknown>> = {
    nothing: undefined,
    'a number': 12_345,
    'two characters': ' ab ',
    '501 characters': 'x'.repeat(501),
    '501 pairs of surrogates': '👋'.repeat(501),
    'a line break': 'one\ntwo',
    'a line separator': 'one\u2028two',
    'a control character': 'one\u0007two',
    'text that turns direction': 'one\u202Etwo',
    'a noncharacter': 'one\uFDD0two',
    'half a pair': 'one\uD800two',
    'nothing to see': '\u200B\u200B\u200B\u2800',
  };
  for (const [what, value] of Object.entries(refused)) {
    it(`is not ${what}`, () => {
      thrownBy('INVALID_CORRECTION', () => parseReason(value));
    });
  }
});

describe('An action', () => {
  it('is add or void, and nothing else', () => {
    expect(['add', 'void'].map(parseCorrectionAction)).to.deep.equal(['add', 'void']);
    for (const value of ['Add', 'remove', '', undefined, 1]) {
      thrownBy('INVALID_CORRECTION', () => parseCorrectionAction(value));
    }
  });
});
