import { openAll, parseTallyId, toTimestamp } from '@tallybook/domain';
import { NOWHERE, type StampedName } from '@tallybook/domain/record';
import { PostgresStorage } from '@tallybook/store-postgres';
import { expect } from 'chai';
import { usePostgres } from '../fixtures/postgres.js';
import { facetOf } from '@tallybook/testing';

const ada = parseTallyId('04A2B3C4D5');
const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' };
const nameOf = (number: number) => ({ first: String(number), last: '' });

describe('Two servers of a centre', () => {
  const postgres = usePostgres();

  async function openTwo() {
    const url = postgres.current.site();
    const servers = [1, 2].map(() => {
      const database = new PostgresStorage(url, { stamps: { now: () => 1_000 } });
      return {
        names: facetOf(database, 'mapping'),
        stamped: facetOf(database, 'stampedNames'),
        stations: facetOf(database, 'stations'),
        erasures: facetOf(database, 'erasures'),
      };
    });
    const opened = await openAll(servers.flatMap((server) => Object.values(server)));
    const [one, two] = servers;
    if (one === undefined || two === undefined) throw new Error('there are two');
    return { one, two, [Symbol.asyncDispose]: () => opened.close() };
  }

  it('give each change of a name a unique stamp, even if their clocks stand still', async () => {
    await using servers = await openTwo();
    const { one, two } = servers;
    const writes = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : two).names.put(ada, nameOf(n)));
    await Promise.all(writes);
    const [known] = await one.stamped.get([ada]);
    expect(known?.stamp).to.include({ ms: 1_000 });
    expect(known?.stamp?.counter).to.equal(39);
    expect(await two.names.get(ada)).to.deep.equal(known?.name);
  });

  it('agree on the latest of names that both merge at once', async () => {
    await using servers = await openTwo();
    const { one, two } = servers;
    const names = Array.from({ length: 40 }, (_, n): StampedName => {
      return { id: ada, name: nameOf(n), stamp: { ms: 5_000 + n, counter: 0, node: 'a' } };
    });
    const shuffled = names.map((name, n) => names[(n * 17) % names.length] ?? name);
    const stayed = await Promise.all(
      shuffled.map((name, n) => (n % 2 === 0 ? one : two).stamped.merge([name])),
    );
    expect(await one.stamped.get([ada])).to.deep.equal([names.at(-1)]);
    // Each name was accepted, or got a later one as the answer.
    for (const [n, [here]] of stayed.entries()) {
      if (here === undefined) continue;
      expect(here.stamp?.ms).to.be.above(shuffled[n]?.stamp?.ms ?? Infinity);
    }
  });

  it('refuse a name from before an erasure that the other one has just made, and accept a later one', async () => {
    await using servers = await openTwo();
    const { one, two } = servers;
    const until = toTimestamp(1_763_500_000);
    const named = (ms: number, node = 'a'): StampedName => ({
      id: ada,
      name: nameOf(1),
      stamp: { ms, counter: 0, node },
    });
    await one.erasures.erase({ ids: [ada], until, expiresAt: toTimestamp(until + 1) });
    expect(await two.stamped.merge([named(until * 1_000 + 999)])).to.deep.equal([]);
    expect(await one.stamped.get([ada])).to.deep.equal([]);
    // A name of unknown time.
    await two.stamped.merge([named((until + 1) * 1_000, NOWHERE)]);
    expect(await one.stamped.get([ada])).to.deep.equal([]);
    const later = named((until + 1) * 1_000);
    await two.stamped.merge([later]);
    expect(await one.stamped.get([ada])).to.deep.equal([later]);
  });

  it('know the progress of a station at the other one', async () => {
    await using servers = await openTwo();
    const { one, two } = servers;
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
