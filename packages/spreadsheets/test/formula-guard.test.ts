import { expect } from 'chai';
import * as fc from 'fast-check';
import { guardFormula } from '../src/sheet.js';
import { unguardFormula } from '../src/index.js';

const formulas = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\u00A0\u3000=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠A',
  '−1',
];

describe('A text that a spreadsheet may read as a formula', () => {
  it('gets a quotation mark in front', () => {
    for (const text of formulas) expect(guardFormula(text), text).to.equal(`'${text}`);
  });

  it('is not one with such a character at a later place', () => {
    for (const text of ['', 'Ada', "O'Neill", 'Müller-Lüdenscheidt', 'a=1', '1+1', "'Ada", '¿?'])
      expect(guardFormula(text), text).to.equal(text);
  });

  it('loses only that quotation mark', () => {
    for (const text of [...formulas, "'Ada", "'t Hooft", 'Ada'])
      expect(unguardFormula(text), text).to.equal(text);
  });

  it('is read back unchanged, also if it began with a quotation mark', () => {
    const texts = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', ' ', '\t', '＝', 'a', '1') });
    fc.assert(
      fc.property(texts, (text) => unguardFormula(guardFormula(text)) === text),
      { seed: 20_411, numRuns: 2_000, examples: [...formulas, "'=1", "''=1"].map((text) => [text]) },
    );
  });
});
