import { carriedKeyOf, parseCarriedKey, plainCarried, toCarried, type CarriedRow } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { mergeCarried } from '../../../src/values/people/carried-row.js';
import { thrownBy } from '../../fixtures/throws.js';

const plain = { kind: 'occasion', id: '1', stamp: [1, 0, 'a'], persons: [], tags: [], value: 1 };

/** States of one row, with few stamps, so that some are equal. */
const states: fc.Arbitrary<CarriedRow> = fc
  .record({
    kind: fc.constant('occasion'),
    id: fc.constant('1'),
    stamp: fc.tuple(fc.nat(2), fc.nat(1), fc.constantFrom('', 'a', 'b')),
    persons: fc.subarray(['00112233445566', 'tag-04A2B3C4D5']),
    tags: fc.subarray(['04A2B3C4D5', '010203']),
    value: fc.jsonValue({ maxDepth: 3 }),
  })
  .map(toCarried);

const textOf = (row: CarriedRow): string => JSON.stringify(plainCarried(row));

describe('A carried row', () => {
  it('is the same after it was written and read', () => {
    fc.assert(
      fc.property(states, (row) => {
        expect(textOf(toCarried(JSON.parse(textOf(row))))).to.equal(textOf(row));
        expect(parseCarriedKey(carriedKeyOf(row))).to.equal('occasion 1');
      }),
    );
  });

  it('has one text, in whatever order the fields of its value were set', () => {
    const [one, other] = ['{"b":[{"d":1,"c":2}],"a":null}', '{"a":null,"b":[{"c":2,"d":1}]}'];
    const read = (value: string): string =>
      textOf(toCarried({ ...plain, value: JSON.parse(value) as unknown }));
    expect(read(one)).to.equal(read(other));
  });

  it('is merged to the same by all places, in any order and any number of times', () => {
    fc.assert(
      fc.property(states, states, states, (a, b, c) => {
        const whole = textOf(mergeCarried(mergeCarried(a, b), c));
        expect(textOf(mergeCarried(mergeCarried(c, b), a))).to.equal(whole);
        expect(textOf(mergeCarried(a, mergeCarried(b, c)))).to.equal(whole);
        expect(textOf(mergeCarried(mergeCarried(mergeCarried(b, a), c), b))).to.equal(whole);
        expect(textOf(mergeCarried(undefined, a))).to.equal(textOf(a));
      }),
    );
  });

  it('is that with the later stamp', () => {
    const [early, late] = [toCarried(plain), toCarried({ ...plain, stamp: [1, 1, ''], value: 0 })];
    expect(mergeCarried(early, late)).to.equal(late);
    expect(mergeCarried(late, early)).to.equal(late);
  });

  it('has no other key than a kind and an id', () => {
    for (const key of [
      '',
      'occasion',
      'occasion ',
      ' 1',
      'occasion  1',
      'Occasion 1',
      '-a 1',
      'a 1 2',
      'a ä',
    ])
      thrownBy('INVALID_ROW', () => parseCarriedKey(key));
    thrownBy('INVALID_ROW', () => parseCarriedKey(`${'a'.repeat(41)} 1`));
    thrownBy('INVALID_ROW', () => parseCarriedKey(`a ${'1'.repeat(101)}`));
    expect(parseCarriedKey(`${'a'.repeat(40)} ${'1'.repeat(100)}`)).to.have.lengthOf(141);
  });
});
