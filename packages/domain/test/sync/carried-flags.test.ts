import { toTimestamp, type DetailedEntry } from '@tallybook/domain';
import { BackupService } from '@tallybook/domain/record';
import { MemorySnapshotSource } from '@tallybook/testing';
import { expect } from 'chai';
import {
  ada,
  at,
  bob,
  type Centre,
  type Contents,
  pass,
  Station,
  TODAY,
  itAtCentre as test,
} from './sync-world.js';
import { listOf, reading } from '../fixtures/streams.js';

const LARGEST = Number.MAX_SAFE_INTEGER;
/** Bits that mean nothing today: of the first and the last scan, of one between them, and of an only one. */
const scans = [
  [ada, 10, 2 ** 40 + 1],
  [ada, 20, LARGEST],
  [ada, 30, 0],
  [ada, 40, 4],
  [bob, 25, 2],
] as const;
const entries: readonly DetailedEntry[] = [
  {
    ...{ id: ada, first: at(10), last: at(40), count: 4 },
    ...{ scans: [10, 20, 30, 40].map(at), flags: [2 ** 40 + 1, LARGEST, 0, 4] },
  },
  { id: bob, first: at(25), last: at(25), count: 1, scans: [at(25)], flags: [2] },
];

async function record({ days }: Station): Promise<void> {
  for (const [id, seconds, flags] of scans) await days.record(TODAY, id, at(seconds), { flags });
}

async function detailsAt({ days }: Centre | Station): Promise<readonly DetailedEntry[] | undefined> {
  return (await days.details(TODAY))?.entries;
}

/** A backup of a station, restored into an empty one: its contents. */
async function restored(station: Station, centre: Centre): Promise<Contents> {
  const { names, days } = station.contents;
  const snapshots = new MemorySnapshotSource({ names, days });
  const backup = new BackupService({ snapshots, mapping: station.mapping, days: station.days });
  const lines = await listOf(backup.export());
  await using other = new Station('other', centre);
  await other.open();
  const parts = { snapshots, mapping: other.mapping, days: other.days };
  await new BackupService(parts).import(() => reading(lines));
  return other.contents;
}

describe('Flags that nobody knows', () => {
  test('come to the centre with the scans of a station', async (centre) => {
    await using station = await Station.open('gate', centre);
    await pass([centre, station], 10);
    await record(station);
    await pass([centre, station], 10);
    expect(await detailsAt(centre)).to.deep.equal(entries);
    await station.days.record(TODAY, bob, at(25), { flags: 5 });
    await pass([centre, station], 10);
    expect((await detailsAt(centre))?.[1]).to.deep.include({ flags: [7] });
    expect(station.faults).to.deep.equal([]);
  });

  test('come through store, backup, restore and sync to the centre', async (centre) => {
    await using station = new Station('gate', centre);
    await station.open();
    await record(station);
    const contents = await restored(station, centre);
    await using other = await Station.open('gate', centre, contents);
    expect(await detailsAt(other)).to.deep.equal(entries);
    await pass([centre, other], 10);
    expect(await detailsAt(centre)).to.deep.equal(entries);
    expect(centre.contents.changes.entries.some(({ change }) => change.kind === 'scan')).to.equal(true);
  });
});

describe('An entry of which more scans are counted than known', () => {
  const entryOf = (seconds: readonly number[]): DetailedEntry => ({
    ...{ id: ada, first: at(seconds[0] ?? 0), last: at(seconds.at(-1) ?? 0), count: seconds.length + 5 },
    scans: seconds.map(at),
  });

  test('comes to the centre with its known scans and their flags', async (centre) => {
    const entry = { ...entryOf([10, 20, 40]), flags: [0, LARGEST, 2] };
    await using station = new Station('gate', centre);
    await station.open();
    await station.days.merge(TODAY, [entry]);
    await using other = await Station.open('gate', centre, await restored(station, centre));
    await pass([centre, other], 10);
    expect(await detailsAt(other)).to.deep.equal([entry]);
    expect(await detailsAt(centre)).to.deep.equal([entry]);
    const kinds = other.transport.batches.flatMap(({ items }) => items.map(({ kind }) => kind));
    expect([...new Set(kinds)]).to.deep.equal(['entries']);
  });

  test('comes in several items if it has very many, each in a batch that is not too large', async (centre) => {
    const entry = entryOf(Array.from({ length: 20_000 }, (_, n) => n * 2));
    await using station = new Station('gate', centre);
    await station.open();
    await station.days.merge(TODAY, [entry]);
    await using other = await Station.open('gate', centre, await restored(station, centre));
    await pass([centre, other], 10);
    expect(await detailsAt(centre)).to.deep.equal([entry]);
    const { batches } = other.transport;
    expect(batches.length).to.be.above(2);
    for (const batch of batches) expect(JSON.stringify(batch).length).to.be.below(100_000);
  });

  test('keeps exactly the scans outside of an erasure', async (centre) => {
    await centre.erasures.erase({ ids: [ada], until: at(20), expiresAt: toTimestamp(LARGEST) });
    const { refused } = await centre.take({
      kind: 'entries',
      day: TODAY,
      entries: [{ ...entryOf([10, 20, 30, 40, 50]), flags: [1, 2, 4, 8, 0] }],
    });
    expect(refused).to.deep.equal([]);
    expect(await detailsAt(centre)).to.deep.equal([
      {
        ...{ id: ada, first: at(30), last: at(50), count: 3 },
        ...{ scans: [30, 40, 50].map(at), flags: [4, 8, 0] },
      },
    ]);
  });
});
