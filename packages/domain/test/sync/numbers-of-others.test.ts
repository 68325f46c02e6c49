import { isTallybookError } from '@tallybook/domain';
import { compareStamps, STAMP_COUNTER_MAX, STAMP_MS_MAX } from '@tallybook/domain';
import { parseSnapshotPart, parseSyncAnswer, parseSyncChanges } from '@tallybook/domain/sync';
import { expect } from 'chai';
import {
  ada,
  at,
  babbage,
  bob,
  forgotten,
  lovelace,
  NOW,
  pass,
  quiet,
  settle,
  Station,
  TODAY,
  itAtStation,
  itAtCentre as test,
} from './sync-world.js';
import { rejectionOf } from '../fixtures/throws.js';

const LARGEST = Number.MAX_SAFE_INTEGER;
const key = 'a'.repeat(32);
const scan = { kind: 'scan', day: TODAY, id: ada, at: at(5) };
const nameWith = (stamp: object): object => ({ kind: 'name', id: ada, name: lovelace, stamp });

describe('A number from a station', () => {
  const refused: readonly (readonly [what: string, item: object])[] = [
    ['the second of a scan', { ...scan, at: LARGEST }],
    ['the second of a scan in the year 287396', { ...scan, at: 9e12 }],
    ['an estimate', { ...scan, filed: { sequence: 1, estimate: { earliest: 0, latest: LARGEST } } }],
    ['the last second of an entry', entriesWith({ last: LARGEST })],
    ['the count of an entry', entriesWith({ count: LARGEST })],
    ['a known scan of an entry', entriesWith({ scans: [at(10)] })],
    ['the flags of a known scan', entriesWith({ scans: [at(5)], flags: [2 ** 53] })],
    ['the flags of a scan', { ...scan, flags: 2 ** 53 }],
    [
      'the second of a correction',
      { kind: 'correction', correction: forgotten(ada, 1, { at: 9e15 as never }) },
    ],
    [
      'the time of a correction',
      { kind: 'correction', correction: forgotten(ada, 1, { madeAt: 9e15 as never }) },
    ],
    ['the end of an erasure', erasureWith({ until: 9e15 })],
    ['the expiry of an erasure', erasureWith({ expiresAt: 9e15 })],
  ];
  for (const [what, item] of refused) {
    test(`refuses its item alone, and no other, if it is ${what} and leaves no room`, async (centre) => {
      const { refused: all, acknowledged } = await centre.take({ ...scan, id: bob }, item);
      expect(all.map(({ cursor }) => cursor)).to.deep.equal([2]);
      expect(acknowledged).to.equal(2);
      expect(centre.record().scans).to.deep.equal([`${TODAY} ${bob} ${at(5)}`]);
      expect(centre.contents.erased).to.have.property('size', 0);
    });
  }

  test('does not stop later changes of a name, as its stamp', async (centre) => {
    const ms = (NOW + 299) * 1_000;
    for (const stamp of [
      { ms, counter: LARGEST, node: 'gate' },
      { ms: LARGEST, counter: LARGEST, node: 'gate' },
    ]) {
      expect((await centre.take({ ...scan, id: bob }, nameWith(stamp))).refused).to.deep.equal([]);
      // A name of an unknown time, as an honest station sends it, follows the name here.
      await centre.take({ ...scan, at: at(6) }, { kind: 'name', id: ada, name: babbage, stamp: null });
      const [taken] = await centre.stamped.get([ada]);
      expect(taken?.name).to.deep.equal(babbage);
      expect(taken?.stamp?.counter).to.be.at.most(STAMP_COUNTER_MAX);
      expect(await centre.mapping.remove(ada)).to.equal(true);
    }
  });

  test('is no cursor if no journal can come so far', async (centre) => {
    const batch = { run: 'run', after: 0, through: LARGEST, items: [], status: quiet };
    await rejectionOf('INVALID_SYNC', centre.sync.push('gate', batch));
    expect(await centre.stations.progress('gate', 'run')).to.equal(0);
  });
});

describe('A number from a centre', () => {
  it('leaves its item out, and no other, if its value leaves no room', () => {
    const terms = { origin: 'abc', cursor: 7, now: at(3) };
    const items = [
      { kind: 'correction', correction: forgotten(ada, 1, { at: 9e15 as never }) },
      erasureWith({ until: 9e15 }),
      nameWith({ ms: 1, counter: 0, node: 'a' }),
    ];
    const changes = parseSyncChanges({ ...terms, items });
    expect(changes.items).to.deep.equal([items[2]]);
    expect(changes.invalid).to.deep.equal(['INVALID_TIMESTAMP', 'INVALID_TIMESTAMP']);
    const lists = { refused: [], superseded: [items[2]], erasures: [erasureWith({ until: 9e15 }).erasure] };
    const answer = parseSyncAnswer({ run: 'run', acknowledged: 1, now: at(3), ...lists });
    expect(answer).to.deep.include({ superseded: [items[2]], erasures: [], invalid: ['INVALID_TIMESTAMP'] });
    expect(parseSnapshotPart(items[0])).to.deep.equal({ kind: 'invalid', invalid: ['INVALID_TIMESTAMP'] });
  });

  test('does not stop later changes of a name at a station, as its stamp', async (centre) => {
    await centre.stamped.replace([
      { id: ada, name: lovelace, stamp: { ms: 9e15, counter: LARGEST, node: 'x' } },
      { id: bob, name: lovelace, stamp: { ms: (NOW + 299) * 1_000, counter: LARGEST, node: 'x' } },
    ]);
    await using station = await Station.open('gate', centre);
    await pass([centre, station], 10);
    expect(station.contents.names.size).to.equal(2);
    for (const id of [ada, bob]) await station.names.put(id, babbage);
    await pass([centre, station], 10);
    expect(station.faults).to.deep.equal([]);
    for (const { stamp } of await station.stamped.get([ada, bob])) {
      expect(stamp?.ms).to.be.at.most(STAMP_MS_MAX);
      expect(stamp?.counter).to.be.at.most(STAMP_COUNTER_MAX);
    }
    expect(centre.contents.names.get(bob)).to.deep.equal(babbage);
    expect(station.contents.names.get(bob)).to.deep.equal(babbage);
  });

  itAtStation('is told once, and the changes after it arrive', async ({ centre, station }) => {
    await pass([centre, station], 10);
    await centre.corrections.correct([forgotten(ada, 1, { at: 9e15 as never }), forgotten(ada, 2)]);
    await pass([centre, station], 60);
    expect(station.record().corrections).to.deep.equal([`${TODAY} ${ada} ${at(2)} add approved`]);
    expect(station.faults).to.have.length(1);
    expect(isTallybookError(station.faults[0], 'INVALID_SYNC')).to.equal(true);
    expect((await station.sync.report()).error).to.equal(undefined);
    await settle();
  });

  test('is left out of a snapshot, which counts as whole', async (centre) => {
    await centre.corrections.correct([forgotten(ada, 1, { at: 9e15 as never }), forgotten(ada, 2)]);
    await using station = await Station.open('gate', centre);
    await pass([centre, station], 60);
    expect(station.record().corrections).to.deep.equal([`${TODAY} ${ada} ${at(2)} add approved`]);
    expect(station.transport.snapshots).to.equal(1);
  });
});

describe('Stamps of two places', () => {
  it('are compared alike after they were cut', () => {
    const cut = parseSyncChanges({
      ...{ origin: 'abc', cursor: 7, now: at(3) },
      items: [1, 2].map((less) => nameWith({ ms: LARGEST - less, counter: LARGEST - less, node: 'a' })),
    });
    const [one, other] = cut.items.map((item) => (item.kind === 'name' ? item.stamp : null));
    expect(compareStamps(one ?? undefined, other ?? undefined)).to.equal(0);
  });
});

function entriesWith(more: object): object {
  return {
    kind: 'entries',
    day: TODAY,
    entries: [{ id: ada, first: at(1), last: at(9), count: 3, ...more }],
  };
}

function erasureWith(more: object): { readonly kind: string; readonly erasure: object } {
  return {
    kind: 'erasure',
    erasure: { key, digest: key, from: 0, until: NOW, expiresAt: NOW + 86_400, ...more },
  };
}
