import { parseTallyId, toTimestamp } from '@tallybook/domain';
import { NOWHERE, type StampedName } from '@tallybook/domain';
import { expect } from 'chai';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { usePostgres, useStorages } from '../fixtures/postgres.js';

const ada = parseTallyId('04A2B3C4D5');
const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' };
const nameOf = (number: number) => ({ first: String(number), last: '' });

describe('Two servers of a centre', () => {
  const postgres = usePostgres();

  const storageOf = useStorages();
  let one: InnerStorage;
  let two: InnerStorage;

  beforeEach(async () => {
    const [url, stamps] = [postgres.current.site(), { now: () => 1_000 }];
    [one, two] = [await storageOf(url, { stamps }), await storageOf(url, { stamps })];
  });

  it('give each change of a name a unique stamp, even if their clocks stand still', async () => {
    const writes = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? one : two).mapping.put(ada, nameOf(n)),
    );
    await Promise.all(writes);
    const [known] = await one.stampedNames.get([ada]);
    expect(known?.stamp).to.include({ ms: 1_000 });
    expect(known?.stamp?.counter).to.equal(39);
    expect(await two.mapping.get(ada)).to.deep.equal(known?.name);
  });

  it('agree on the latest of names that both merge at once', async () => {
    const names = Array.from({ length: 40 }, (_, n): StampedName => {
      return { id: ada, name: nameOf(n), stamp: { ms: 5_000 + n, counter: 0, node: 'a' } };
    });
    const shuffled = names.map((name, n) => names[(n * 17) % names.length] ?? name);
    const stayed = await Promise.all(
      shuffled.map((name, n) => (n % 2 === 0 ? one : two).stampedNames.merge([name])),
    );
    expect(await one.stampedNames.get([ada])).to.deep.equal([names.at(-1)]);
    // Each name was accepted, or got a later one as the answer.
    for (const [n, [here]] of stayed.entries()) {
      if (here === undefined) continue;
      expect(here.stamp?.ms).to.be.above(shuffled[n]?.stamp?.ms ?? Infinity);
    }
  });

  it('refuse a name from before an erasure that the other one has just made, and accept a later one', async () => {
    const until = toTimestamp(1_763_500_000);
    const named = (ms: number, node = 'a'): StampedName => ({
      id: ada,
      name: nameOf(1),
      stamp: { ms, counter: 0, node },
    });
    await one.erasures.erase({ ids: [ada], until, expiresAt: toTimestamp(until + 1) });
    expect(await two.stampedNames.merge([named(until * 1_000 + 999)])).to.deep.equal([]);
    expect(await one.stampedNames.get([ada])).to.deep.equal([]);
    // A name of unknown time.
    await two.stampedNames.merge([named((until + 1) * 1_000, NOWHERE)]);
    expect(await one.stampedNames.get([ada])).to.deep.equal([]);
    const later = named((until + 1) * 1_000);
    await two.stampedNames.merge([later]);
    expect(await one.stampedNames.get([ada])).to.deep.equal([later]);
  });

  it('know the progress of a station at the other one', async () => {
    const notes = { heardAt: toTimestamp(1_763_500_000), status, refused: [] };
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        (n % 2 === 0 ? one : two).stations.acknowledge('hall', 'run', n, notes),
      ),
    );
    expect(await one.stations.progress('hall', 'run')).to.equal(39);
    expect(await two.stations.progress('hall', 'run')).to.equal(39);
  });
});
