import { parsePersonId, parseTallyId, toCarried, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { ErasedRows } from '../../src/repair/erased-rows.js';
import type { SalvagedRow } from '../../src/repair/salvage.js';
import { encodeErasure } from '../../src/rows/erasure-rows.js';
import { erasureKey } from '../../src/rows/keys.js';
import { carriedRows, lastResortOf } from '../../src/rows/people-rows.js';
import { tagDigests } from '../../src/rows/tag-digests.js';

const person = parsePersonId('00112233445566');
const [tag, other] = [parseTallyId('04A2B3C4D5'), parseTallyId('010203')];
const key = 'ab'.repeat(16);

function erasureOf(id: typeof tag): SalvagedRow {
  const name = { key, digest: tagDigests.digestOf(key, id), from: toTimestamp(0) };
  const erasure = { ...name, until: toTimestamp(100), expiresAt: toTimestamp(1_000), state: 'done' } as const;
  return { key: erasureKey(name), value: encodeErasure(erasure), sequence: 10, isRescued: false };
}

describe('A carried row in a damaged store', () => {
  const rowOf = (about: object, sequence: number): SalvagedRow => {
    const row = toCarried({
      ...{ kind: 'occasion', id: '1', stamp: [50_000, 0, 'a'], persons: [], tags: [], value: 1 },
      ...about,
    });
    const rowKey = carriedRows.keyOf('occasion 1' as never);
    return { key: rowKey, value: carriedRows.encode(row), sequence, isRescued: true };
  };

  it('does not come back if it is about somebody who was erased later', () => {
    const erased = new ErasedRows([erasureOf(lastResortOf(person)), erasureOf(tag)]);
    expect(erased.has(rowOf({ persons: [person] }, 9))).to.equal(true);
    expect(erased.has(rowOf({ tags: [other, tag] }, 9))).to.equal(true);
  });

  it('comes back if it is about others, or was written later', () => {
    const erased = new ErasedRows([erasureOf(lastResortOf(person)), erasureOf(tag)]);
    expect(erased.has(rowOf({ persons: ['66554433221100'], tags: [other] }, 9))).to.equal(false);
    expect(erased.has(rowOf({ persons: [person], tags: [tag] }, 11))).to.equal(false);
    expect(erased.has(rowOf({ tags: [tag], stamp: [101_000, 0, 'a'] }, 9))).to.equal(false);
  });
});
