import { compareTallyIds, createMapping, parseTallyId } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { names, forAll, tallyIds } from '../fixtures/arbitraries.js';

describe('createMapping', () => {
  it('iterates ids ascending, as their bytes compare', () => {
    const associations = fc.array(fc.tuple(tallyIds, names));
    forAll([associations], (pairs) => {
      const ids = [...createMapping(pairs).keys()];
      const sorted = ids.map((id) => Buffer.from(id, 'hex')).sort((a, b) => Buffer.compare(a, b));
      expect(ids.map((id) => id.toLowerCase())).to.deep.equal(sorted.map((bytes) => bytes.toString('hex')));
      expect(new Set(ids)).to.deep.equal(new Set(pairs.map(([id]) => id)));
    });
  });

  it('keeps the last name of an id', () => {
    const id = parseTallyId('010203');
    const mapping = createMapping([
      [id, { first: 'Ada', last: '' }],
      [id, { first: 'Charles', last: '' }],
    ]);
    expect([...mapping]).to.deep.equal([[id, { first: 'Charles', last: '' }]]);
  });
});

describe('compareTallyIds', () => {
  it('is the order of their bytes', () => {
    forAll(
      [tallyIds, tallyIds],
      (a, b) => {
        const expected = Buffer.compare(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));
        expect(compareTallyIds(a, b)).to.equal(expected);
        expect(compareTallyIds(a, a)).to.equal(0);
      },
      { examples: [[parseTallyId('010203'), parseTallyId('01020300')]] },
    );
  });
});
