import { openAll, parseTallyId, toTimestamp } from '@tallybook/domain';
import type { Erasure } from '@tallybook/domain/record';
import { MemoryDayStore, MemoryErasureStore, MemoryMappingStore } from '@tallybook/store-memory';
import { expect } from 'chai';

const ada = parseTallyId('04A2B3C4');
const until = toTimestamp(1_800_000_000);
const expiresAt = toTimestamp(1_900_000_000);

describe('Erasures that two stores share', () => {
  it('apply in both at once, in every order of reads', async () => {
    const erasures = new Map<string, Erasure>();
    const parts = { mapping: new MemoryMappingStore(), days: new MemoryDayStore() };
    const [one, other] = [new MemoryErasureStore(parts, erasures), new MemoryErasureStore(parts, erasures)];
    await openAll([parts.mapping, parts.days, one, other]);
    expect(other.refusedUntil(ada)).to.equal(undefined);
    await one.erase({ ids: [ada], until, expiresAt });
    expect(other.refusedUntil(ada)).to.equal(until);
    await other.expire(expiresAt);
    expect(one.refusedUntil(ada)).to.equal(undefined);
  });
});
