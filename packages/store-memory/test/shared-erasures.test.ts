import { openAll, parseTallyId, toTimestamp } from '@tallybook/domain';
import {
  MemoryDayStore,
  MemoryErasures,
  MemoryErasureStore,
  MemoryMappingStore,
} from '@tallybook/store-memory';
import { expect } from 'chai';

const ada = parseTallyId('04A2B3C4');
const until = toTimestamp(1_800_000_000);
const expiresAt = toTimestamp(1_900_000_000);

describe('Erasures that two stores share', () => {
  it('apply in both at once, in every order of reads', async () => {
    const erasures = new MemoryErasures();
    const parts = { mapping: new MemoryMappingStore(), days: new MemoryDayStore() };
    const [one, other] = [new MemoryErasureStore(parts, erasures), new MemoryErasureStore(parts, erasures)];
    await openAll([parts.mapping, parts.days, one, other]);
    expect(other.isRefused(ada, until)).to.equal(false);
    await one.erase({ ids: [ada], until, expiresAt });
    expect(other.isRefused(ada, until)).to.equal(true);
    await other.expire(expiresAt);
    expect(one.isRefused(ada, until)).to.equal(false);
  });
});
