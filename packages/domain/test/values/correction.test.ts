import { parseCorrectionAction, parseReason } from '@tallybook/domain';
import { expect } from 'chai';
import { thrownBy } from '../fixtures/throws.js';

describe('A reason', () => {
  it('is trimmed and brought to NFC', () => {
    expect(parseReason('  Vergessen zu buchen, Zoe\u0308 ')).to.equal('Vergessen zu buchen, Zo\u00EB');
  });

  for (const reason of ['abc', 'x'.repeat(500), '👋'.repeat(500), '"quoted" \\ <b>&amp;']) {
    it(`may be ${reason.slice(0, 20)}`, () => {
      expect(parseReason(reason)).to.equal(reason);
    });
  }

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
