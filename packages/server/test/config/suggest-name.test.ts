import { expect } from 'chai';
import { suggestName } from '../../src/config/suggest-name.js';

describe('suggestName', () => {
  const names = ['host', 'port', 'store', 'zone', 'day-start', 'upstream-token-file'];

  for (const [given, meant] of [
    ['hots', 'host'],
    ['prt', 'port'],
    ['ports', 'port'],
    ['stroe', 'store'],
    ['zonne', 'zone'],
    ['day_start', 'day-start'],
    ['daystart', 'day-start'],
    ['upstream-tokn-fiel', 'upstream-token-file'],
  ] as const) {
    it(`is ${meant} for ${given}`, () => {
      expect(suggestName(given, names)).to.equal(` (did you mean ${meant}?)`);
    });
  }

  for (const given of ['', 'p', 'prot-of', 'xyz', 'toast', 'upstream', '__proto__', 'x'.repeat(100_000)]) {
    it(`is nothing for ${given.slice(0, 20) || 'no text'}`, () => {
      expect(suggestName(given, names)).to.equal('');
    });
  }

  it('is the nearest of several', () => {
    expect(suggestName('abcdeg', ['abcxyz', 'abcdef', 'abxdeg1'])).to.equal(' (did you mean abcdef?)');
  });

  it('does not count the common prefix', () => {
    const variables = ['TALLYBOOK_PORT', 'TALLYBOOK_HOST'];
    expect(suggestName('TALLYBOOK_PROT', variables, 'TALLYBOOK_')).to.equal(
      ' (did you mean TALLYBOOK_PORT?)',
    );
    expect(suggestName('TALLYBOOK_FOO', variables, 'TALLYBOOK_')).to.equal('');
  });
});
