import { setImmediate } from 'node:timers/promises';
import { parseTallyId, toDay, type Day, type TallyId } from '@tallybook/domain';
import { STATION_REFUSED_MAX, StationSync, SYNC_MAX_ITEMS } from '@tallybook/domain/sync';
import { MemoryDayStore } from '@tallybook/testing';
import { expect } from 'chai';
import {
  ada,
  at,
  babbage,
  bob,
  Centre,
  Contents,
  forgotten,
  grace,
  lovelace,
  NOW,
  pass,
  settle,
  Station,
  TODAY,
  itAtCentre,
  itAtStation,
  itWhenMet as test,
} from './sync-world.js';
import { rejectionOf } from '../fixtures/throws.js';
import { Deferred } from '../fixtures/deferred.js';
import { unplacedScan } from '../fixtures/unplaced-scan.js';

describe('a change at a station', () => {
  test('is at the centre soon', async ({ centre, station }) => {
    await station.tap(ada, 5);
    await station.names.put(ada, lovelace);
    await station.correcting.correct(
      [{ action: 'add', day: TODAY, id: bob, at: at(-9), reason: 'Forgot to tap' }],
      'desk',
    );
    await settle();
    expect(centre.record()).to.deep.equal(station.record());
    expect(centre.record().names).to.have.length(1);
    expect(station.faults).to.deep.equal([]);
  });

  test('is sent once when the network is back', async ({ centre, station }) => {
    station.transport.fate = () => 'lost';
    for (let n = 0; n < 50; n++) await station.tap(n % 2 === 0 ? ada : bob, n);
    await pass([station, centre], 60);
    expect(centre.record().scans).to.deep.equal([]);
    const { status, error } = await station.sync.report();
    expect(status).to.deep.include({ waiting: 50, oldestWaitingAt: at(0) });
    expect(error).to.have.property('code', 'UPSTREAM_UNAVAILABLE');
    station.transport.fate = () => 'arrives';
    await pass([station, centre], 300);
    expect(centre.record().scans).to.deep.equal(station.record().scans);
    const report = await station.sync.report();
    expect(report.status.waiting).to.equal(0);
    expect(report.error).to.equal(undefined);
    const [entry] = (await centre.days.load(TODAY))?.entries ?? [];
    expect(entry?.count).to.equal(25);
  });

  test('is tried less and less often while the centre is away, and at once on request', async (met) => {
    const { centre, station } = met;
    station.transport.fate = () => 'lost';
    await station.tap(ada, 1);
    await settle();
    const before = station.transport.batches.length;
    await pass([station, centre], 600);
    const attempts = station.transport.batches.length - before;
    expect(attempts).to.be.within(5, 15);
    station.transport.fate = () => 'arrives';
    station.sync.wake();
    await settle();
    expect(centre.record().scans).to.have.length(1);
  });

  itAtStation('is at the centre once even if answers are lost and batches come twice', async (both) => {
    const { centre, station } = both;
    let turn = 0;
    station.transport.fate = () =>
      (['answer-lost', 'twice', 'lost', 'arrives'] as const)[turn++ % 4] ?? 'lost';
    for (let n = 0; n < 30; n++) {
      await station.tap(ada, n);
      await station.names.put(bob, n % 2 === 0 ? babbage : grace);
      await pass([station, centre], 1);
    }
    station.transport.fate = () => 'arrives';
    await pass([station, centre], 300);
    expect(centre.record()).to.deep.equal(station.record());
    expect((await centre.days.load(TODAY))?.entries[0]?.count).to.equal(30);
  });

  it('is sent after the whole record when the centre has nothing of the station', async () => {
    const contents = new Contents();
    {
      await using centre = await Centre.open();
      await using station = new Station('gate', centre, contents);
      await station.open();
      await station.tap(ada, 5, toDay(TODAY - 3));
      await station.days.merge(TODAY, [{ id: bob, first: at(1), last: at(9), count: 5 }]);
      await station.tap(bob, 3);
      await station.mapping.put(ada, lovelace);
      await station.corrections.correct([forgotten(ada, 7)]);
    }
    // As if the journal were newer than the record.
    contents.changes.entries.splice(0);
    await using centre = await Centre.open();
    await using station = await Station.open('gate', centre, contents);
    await settle();
    await station.tap(ada, 6);
    await settle();
    expect(centre.record()).to.deep.equal(station.record());
    expect((await centre.days.load(TODAY))?.entries).to.deep.equal((await station.days.load(TODAY))?.entries);
    expect(station.transport.batches[0]?.items).to.deep.equal([]);
    expect(new Set(station.transport.batches.map(({ run }) => run)).size).to.equal(2);
  });

  test('is sent again if the centre lost it', async ({ centre, station }) => {
    for (let n = 0; n < 5; n++) await station.tap(ada, n);
    await settle();
    const older = centre.contents.copy();
    for (let n = 5; n < 9; n++) await station.tap(ada, n);
    await station.names.put(ada, lovelace);
    await settle();
    await using restored = await Centre.open(older);
    expect(restored.record().scans).to.have.length(5);
    station.transport.centre = restored;
    const sent = station.transport.batches.length;
    await station.tap(ada, 9);
    await settle();
    expect(restored.record()).to.deep.equal(station.record());
    const again = station.transport.batches.slice(sent).flatMap(({ items }) => items);
    expect(again.filter(({ kind }) => kind === 'scan').length).to.be.below(9);
    await pass([station, restored], 30);
    expect(station.record().names).to.deep.equal([`${ada} Ada Lovelace`]);
  });

  it('is sent with the whole record when the centre lost all, and the journal is younger', async () => {
    const contents = new Contents();
    // A store from before the journal existed.
    const days = new MemoryDayStore(contents.days);
    await days.open();
    for (const seconds of [1, 2]) await days.record(TODAY, ada, at(seconds));
    await days.close();
    await using centre = await Centre.open();
    await using station = await Station.open('gate', centre, contents);
    await station.tap(bob, 3);
    await settle();
    await using empty = await Centre.open();
    station.transport.centre = empty;
    await station.tap(bob, 4);
    await pass([station, empty], 20);
    expect(empty.record().scans).to.deep.equal(station.record().scans);
    expect(empty.record().scans).to.have.length(4);
    // The centre refused nothing, so no item was empty or useless.
    expect((await station.sync.report()).refusedCount).to.equal(0);
  });

  it('is sent with the whole record when the journal no longer has the lost changes', async () => {
    await using centre = await Centre.open();
    await using station = await Station.open('gate', centre, undefined, { journalLimit: 10 });
    await settle();
    await station.tap(bob, 0);
    await settle();
    const older = centre.contents.copy();
    for (let n = 1; n < 100; n++) await station.tap(ada, n);
    await settle();
    await using restored = await Centre.open(older);
    station.transport.centre = restored;
    await station.tap(ada, 100);
    await settle();
    expect(restored.record()).to.deep.equal(station.record());
  });

  it('is sent with the whole record when the journal forgot waiting changes, or was repaired', async () => {
    await using centre = await Centre.open();
    await using station = await Station.open('gate', centre, undefined, { journalLimit: 10 });
    await settle();
    station.transport.fate = () => 'lost';
    for (let n = 0; n < 100; n++) await station.tap(ada, n);
    await pass([station, centre], 5);
    station.transport.fate = () => 'arrives';
    await pass([station, centre], 300);
    expect(centre.record().scans).to.deep.equal(station.record().scans);
    centre.contents.days.clear();
    station.journal.append({ kind: 'repaired' });
    await settle();
    expect(centre.record().scans).to.deep.equal(station.record().scans);
  });

  for (const begins of ['repaired', 'reset'] as const) {
    it(`is ${begins}, and what the damage took comes back from the centre, also after a restart in between`, async () => {
      await using centre = await Centre.open();
      const contents = new Contents();
      {
        await using station = await Station.open('gate', centre, contents, { journalLimit: 10 });
        await settle();
        await centre.mapping.put(ada, lovelace);
        await pass([station, centre], 5);
        expect(station.record().names).to.have.length(1);
        station.transport.snapshot = () => {
          throw new Error('the power is cut before the snapshot is there');
        };
        if (begins === 'reset') {
          station.transport.fate = () => 'lost';
          for (let n = 0; n < 20; n++) await station.tap(ada, n);
          await pass([station, centre], 5);
          station.transport.fate = () => 'arrives';
        }
        contents.names.clear();
        contents.stamps.clear();
        if (begins === 'repaired') station.journal.append({ kind: 'repaired' });
        await pass([station, centre], 60);
        expect((await station.sync.report()).status.waiting).to.equal(0);
      }
      for (const snapshots of [1, 0]) {
        await using station = await Station.open('gate', centre, contents, { journalLimit: 10 });
        await pass([station, centre], 5);
        expect(station.record().names).to.have.length(1);
        expect(station.transport.snapshots).to.equal(snapshots);
      }
    });
  }

  itAtCentre('is sent with the whole record also from an older copy of the station', async (centre) => {
    const contents = new Contents();
    let older: Contents;
    {
      await using station = await Station.open('gate', centre, contents);
      await station.tap(ada, 1);
      await settle();
      older = contents.copy();
      for (let n = 2; n < 6; n++) await station.tap(ada, n);
      await settle();
    }
    await using station = await Station.open('gate', centre, older);
    await settle();
    await station.tap(bob, 7);
    await station.names.put(bob, grace);
    await settle();
    expect(centre.record().scans).to.have.length(6);
    expect(centre.record().names).to.deep.equal([`${bob} Grace Hopper`]);
  });

  test('is sent in batches of limited size, also a restored day that is larger than a batch', async (met) => {
    const { centre, station } = met;
    const entries = Array.from({ length: 2_500 }, (_, n) => {
      const id = (0x01_00_00_00 + n).toString(16).toUpperCase().padStart(8, '0') as typeof ada;
      return { id, first: at(n), last: at(n + 1), count: 7 };
    });
    await station.days.merge(TODAY, entries);
    for (let turn = 0; turn < 40; turn++) await settle();
    expect(centre.record().scans).to.deep.equal(station.record().scans);
    expect((await centre.days.load(TODAY))?.entries).to.have.deep.members(entries);
    for (const batch of station.transport.batches) {
      expect(batch.items.length).to.be.at.most(SYNC_MAX_ITEMS);
      expect(Buffer.byteLength(JSON.stringify(batch))).to.be.at.most(262_144);
    }
  });

  itAtStation('is at the centre also if many names of unknown time take several batches', async (both) => {
    const { centre, station } = both;
    station.clock.setSynchronised(false);
    await settle();
    station.transport.fate = () => 'lost';
    const ids = Array.from({ length: 900 }, (_, n) => parseTallyId((0x10_00_00_00 + n).toString(16)));
    await centre.mapping.change(new Map(ids.map((id) => [id, lovelace])));
    await station.mapping.change(
      new Map(ids.map((id, n) => [id, { first: `Number ${n}`, last: 'x'.repeat(90) }])),
    );
    station.transport.fate = () => 'arrives';
    await pass([station, centre], 30);
    const parts = station.transport.batches.filter(({ items }) => items.length > 100);
    expect(parts).to.have.lengthOf.above(1);
    expect(parts.slice(1).map((part) => part.after)).to.deep.equal(
      parts.slice(0, -1).map((part) => part.through),
    );
    expect(centre.record().names).to.deep.equal(station.record().names);
    expect(centre.record().names.join()).to.not.include('Lovelace');
  });

  itAtCentre('is refused item by item, without delaying the rest, and this is shown', async (centre) => {
    centre.keepFrom = toDay(TODAY - 10);
    await using station = await Station.open('gate', centre);
    await settle();
    await station.tap(bob, 2, toDay(TODAY - 11));
    await station.tap(ada, 5);
    await settle();
    expect(centre.record().scans).to.deep.equal([`${TODAY} ${ada} ${at(5)}`]);
    const { refused, refusedCount, status } = await station.sync.report();
    expect(refused.map(({ code }) => code)).to.deep.equal(['DAY_NOT_KEPT']);
    expect([refusedCount, status.waiting]).to.deep.equal([1, 0]);
    for (let n = 0; n < 150; n++) await station.tap(bob, n + 10, toDay(TODAY - 11));
    await settle();
    const later = await station.sync.report();
    expect([later.refused.length, later.refusedCount]).to.deep.equal([STATION_REFUSED_MAX, 151]);
  });

  itAtCentre('waits at the station while its clock is not trusted, and is counted', async (centre) => {
    const station = new Station('gate', centre);
    station.clock.setSynchronised(false);
    await station.open(station.attendance, station.sync);
    await settle();
    const ofThisRun = { bootId: 'manual', monotonicMs: 0, notBefore: at(-99) };
    await station.provisional.add(unplacedScan(ada, at(0), ofThisRun));
    await settle();
    expect(centre.record().scans).to.deep.equal([]);
    const [record] = await centre.sync.stations();
    expect(record?.status).to.include({ provisional: 1, isClockTrusted: false, version: '1.0' });
    station.clock.setSynchronised(true);
    await pass([station, centre], 20);
    expect(centre.record().scans).to.deep.equal([`${TODAY} ${ada} ${at(0)}`]);
    const told = centre.contents.changes.entries.map(({ change }) => change);
    expect(told.at(-1)).to.have.nested.property('filed.sequence', 1);
    await station[Symbol.asyncDispose]();
  });
});

describe('a change at a centre', () => {
  itAtCentre('is soon at the station: names, removed names, corrections and decisions', async (centre) => {
    await centre.mapping.put(ada, lovelace);
    await centre.mapping.put(bob, babbage);
    await using station = await Station.open('gate', centre);
    await settle();
    expect(station.record().names).to.deep.equal(centre.record().names);
    await centre.mapping.remove(bob);
    await centre.corrections.correct([forgotten(ada, 7, { state: 'pending' })]);
    await settle();
    expect(station.record()).to.deep.equal(centre.record());
    await centre.corrections.decide(1, { state: 'rejected', by: 'boss', at: at(99) });
    await settle();
    expect(station.record().corrections).to.deep.equal([`${TODAY} ${ada} ${at(7)} add rejected`]);
    const latest = await centre.journal.latest();
    await pass([station, centre], 600);
    expect(await centre.journal.latest()).to.equal(latest);
  });

  itAtCentre('never overwrites changes that wait to be sent', async (centre) => {
    await centre.mapping.put(ada, lovelace);
    await using station = await Station.open('gate', centre);
    await settle();
    let isCut = true;
    const push = station.transport.push.bind(station.transport);
    station.transport.push = (batch) => (isCut ? Promise.reject(new Error('cut')) : push(batch));
    station.clock.advance(5_000);
    await station.names.put(ada, grace);
    await centre.mapping.put(ada, babbage);
    await centre.mapping.put(bob, babbage);
    for (const { clock } of [station, centre]) clock.advance(30_000);
    await settle();
    expect(station.record().names).to.deep.equal([`${ada} Grace Hopper`]);
    isCut = false;
    await pass([station, centre], 60);
    expect(station.record().names).to.deep.equal(centre.record().names);
    expect(station.record().names).to.deep.equal([`${bob} Charles Babbage`, `${ada} Grace Hopper`]);
  });

  test('replaces an earlier name of the station', async ({ centre, station }) => {
    station.transport.fate = () => 'lost';
    await station.names.put(ada, grace);
    await settle();
    centre.clock.advance(60_000);
    await centre.mapping.put(ada, lovelace);
    station.transport.fate = () => 'arrives';
    await pass([station, centre], 30);
    expect(station.record().names).to.deep.equal([`${ada} Ada Lovelace`]);
    expect(centre.record().names).to.deep.equal([`${ada} Ada Lovelace`]);
    expect(await station.stamped.get([ada])).to.deep.equal(await centre.stamped.get([ada]));
  });

  test('may be an erasure, which removes data of the station', async ({ centre, station }) => {
    await station.tap(ada, -5);
    await station.tap(bob, -4);
    await station.names.put(ada, lovelace);
    await settle();
    await centre.erasures.erase({ ids: [ada], until: at(0), expiresAt: at(9_999) });
    await settle();
    for (const { contents } of [station, centre]) {
      expect([...contents.names.keys()]).to.deep.equal([]);
      expect([...(contents.days.get(TODAY)?.keys() ?? [])]).to.deep.equal([bob]);
    }
    await pass([station, centre], 30);
    expect(station.faults).to.deep.equal([]);
  });

  test('may be an erasure even if the centre had no data of the person yet', async ({ centre, station }) => {
    station.transport.fate = () => 'lost';
    await station.tap(ada, -5);
    await settle();
    await centre.erasures.erase({ ids: [ada], until: at(0), expiresAt: at(9_999) });
    station.transport.fate = () => 'arrives';
    await pass([station, centre], 60);
    expect([centre.record().scans, station.record().scans]).to.deep.equal([[], []]);
  });

  itAtStation('may remove a name that was given by a clock behind the erasure', async (both) => {
    const { centre, station } = both;
    await centre.erasures.erase({ ids: [ada], until: at(60), expiresAt: at(9_999) });
    await settle();
    await station.names.put(ada, lovelace);
    await pass([station, centre], 5);
    expect([centre.record().names, station.record().names]).to.deep.equal([[], []]);
    expect((await station.sync.report()).refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
    await centre.mapping.put(ada, grace);
    await station.names.put(bob, babbage);
    await pass([station, centre], 5);
    expect(station.record().names).to.include(`${bob} Charles Babbage`);
  });

  test('restores nobody whom the station erases while it is applied', async ({ centre, station }) => {
    const { stamped, corrections, erasures } = station;
    const erase = (id: TallyId): Promise<unknown> =>
      erasures.erase({ ids: [id], until: at(0), expiresAt: at(9_999) });
    const [get, list] = [stamped.get.bind(stamped), corrections.list.bind(corrections)];
    stamped.get = async (ids) => {
      const names = await get(ids);
      if (ids.includes(ada)) await erase(ada);
      return names;
    };
    corrections.list = async (from, to) => {
      const found = await list(from, to);
      await erase(bob);
      return found;
    };
    await centre.mapping.put(ada, lovelace);
    await centre.corrections.correct([forgotten(bob, -60)]);
    await pass([station, centre], 5);
    const { names, corrections: left } = station.record();
    expect({ names, left }).to.deep.equal({ names: [], left: [] });
  });

  itAtCentre('may be an erasure of another station', async (centre) => {
    await using one = await Station.open('one', centre);
    await using two = await Station.open('two', centre);
    await settle();
    await one.tap(ada, -5);
    await two.tap(ada, -4);
    await settle();
    await one.erasures.erase({ ids: [ada], until: at(0), expiresAt: at(9_999) });
    await pass([one, two, centre], 5);
    for (const place of [one, two, centre]) expect(place.record().scans).to.deep.equal([]);
  });

  test('may be a removed day, which is applied when the scans of that day were sent', async (met) => {
    const { centre, station } = met;
    await station.tap(ada, 1);
    await settle();
    await centre.days.remove(TODAY);
    await settle();
    expect(station.record().scans).to.deep.equal([]);
    expect(centre.record().scans).to.deep.equal([]);
  });

  itAtStation('may be a removed day also in a new snapshot', async ({ centre, station }) => {
    await centre.corrections.correct([forgotten(ada, 1)]);
    await settle();
    expect(station.record().corrections).to.have.lengthOf(1);
    station.transport.fate = () => 'lost';
    station.transport.abort();
    await settle();
    await centre.corrections.remove(TODAY);
    await centre.erasures.erase({ ids: [bob], until: at(0), expiresAt: at(9_999) });
    // The station sends first and receives later, and a person was erased at the centre.
    const sent = station.transport.batches.length;
    station.transport.fate = () => (station.transport.batches.length > sent ? 'arrives' : 'lost');
    await station.tap(bob, -5);
    await pass([station, centre], 60);
    expect(station.transport.snapshots).to.equal(2);
    expect(station.record().corrections).to.deep.equal([]);
  });

  test('may be its first kept day, unless that is doubtful', async ({ centre, station }) => {
    const old: Day[] = [20, 30, 40].map((days) => toDay(TODAY - days));
    for (const day of [...old, TODAY]) await station.tap(ada, 1, day);
    await settle();
    // A centre whose clock is ahead.
    centre.keepFrom = toDay(TODAY + 1);
    await pass([station, centre], 60);
    expect(station.contents.days.size).to.equal(4);
    centre.keepFrom = toDay(TODAY - 25);
    await pass([station, centre], 60);
    expect([...station.contents.days.keys()].sort()).to.deep.equal([TODAY - 20, TODAY]);
    for (let days = 100; days < 200; days++) await station.tap(ada, 1, toDay(TODAY - 300 + days));
    centre.keepFrom = toDay(TODAY - 15);
    await pass([station, centre], 60);
    expect(station.contents.days.size).to.be.above(100);
  });

  test('is taken from a snapshot if the centre no longer has the changes', async ({ centre, station }) => {
    await centre.mapping.put(ada, lovelace);
    await settle();
    station.transport.fate = () => 'lost';
    await settle();
    await centre.mapping.put(bob, babbage);
    await centre.mapping.remove(ada);
    centre.journal.append({ kind: 'repaired' });
    await settle();
    const before = station.transport.snapshots;
    station.transport.fate = () => 'arrives';
    await pass([station, centre], 300);
    expect(station.transport.snapshots).to.be.above(before);
    expect(station.record().names).to.deep.equal([`${bob} Charles Babbage`]);
  });

  itAtCentre('is read from the same place after a restart, without a snapshot', async (centre) => {
    const contents = new Contents();
    for (let n = 0; n < 3; n++) {
      await using station = await Station.open('gate', centre, contents);
      await settle();
      await centre.mapping.put(ada, n === 1 ? lovelace : babbage);
      await settle();
      expect(station.record().names).to.deep.equal(centre.record().names);
      expect(station.transport.snapshots).to.equal(n === 0 ? 1 : 0);
    }
  });

  itAtCentre('is not reverted by an older copy of the centre', async (centre) => {
    await centre.mapping.put(ada, lovelace);
    await using station = await Station.open('gate', centre);
    await settle();
    const older = centre.contents.copy();
    for (const { clock } of [station, centre]) clock.advance(5_000);
    await centre.mapping.put(ada, grace);
    await settle();
    expect(station.record().names).to.deep.equal([`${ada} Grace Hopper`]);
    await using restored = await Centre.open(older);
    station.transport.centre = restored;
    await pass([station, centre, restored], 600);
    expect(restored.record().names).to.deep.equal([`${ada} Grace Hopper`]);
    expect(station.record().names).to.deep.equal([`${ada} Grace Hopper`]);
  });
});

describe('a station', () => {
  test('reports its state regularly, even without changes', async ({ centre, station }) => {
    expect((await centre.sync.stations())[0]?.heardAt).to.equal(NOW);
    await pass([station, centre], 700);
    const [record] = await centre.sync.stations();
    expect(record?.heardAt).to.be.above(NOW + 300);
    // The first connection sends the whole record, which is still empty.
    expect(station.transport.batches.length).to.be.within(4, 6);
  });

  it('sends a record from before the journal again until it gets through, and then not again', async () => {
    const contents = new Contents();
    await using centre = await Centre.open();
    {
      await using before = new Station('gate', centre, contents);
      await before.open();
      await before.tap(ada, 5);
    }
    contents.changes.entries.splice(0);
    contents.changes.latest = 0;
    await using station = new Station('gate', centre, contents);
    station.transport.fate = () => 'lost';
    await station.open(station.sync);
    await pass([station, centre], 10);
    const sent = (): number => station.transport.batches.filter(({ items }) => items.length > 0).length;
    const tries = sent();
    expect(tries).to.be.above(1);
    station.transport.fate = () => 'arrives';
    await pass([station, centre], 700);
    expect(centre.record()).to.deep.equal(station.record());
    // One try for sending, and one for reading the journal of the new centre.
    expect(sent()).to.equal(tries + 2);
  });

  itAtStation('sends its whole record with a separate name of twelve random digits', async ({ station }) => {
    await station.tap(ada, 3);
    await settle();
    const { origin } = station.contents.changes;
    const runs = new Set(station.transport.batches.map(({ run }) => run));
    runs.delete(origin);
    expect([...runs].map((run) => run.replace(/[0-9a-f]{12}$/, 'DIGITS'))).to.deep.equal(['record-DIGITS']);
  });

  itAtStation('reports its state without a store for provisional scans', async ({ station }) => {
    const { days, stamped, corrections, erasures, calendar, timekeeper, journal, clock } = station;
    await using alone = new StationSync({
      ...{ days, stamped, corrections, erasures, calendar, timekeeper, journal, clock },
      ...{ edits: station.edits, transport: station.transport, version: '1.0', random: () => 0.5 },
      removeDay: () => Promise.resolve(false),
    });
    expect((await alone.report()).status).to.deep.include({ waiting: 0, provisional: 0 });
  });

  test('closes when the current changes are applied', async ({ centre, station }) => {
    const replace = station.stamped.replace.bind(station.stamped);
    const [held, applying] = [new Deferred<void>(), new Deferred<void>()];
    station.stamped.replace = async (names) => {
      applying.resolve();
      await held.promise;
      return replace(names);
    };
    await centre.mapping.put(ada, lovelace);
    await applying.promise;
    let isClosed = false;
    const closing = station.sync.close().then(() => (isClosed = true));
    await settle();
    expect(isClosed).to.equal(false);
    held.resolve();
    await closing;
    expect(station.record().names).to.deep.equal([`${ada} Ada Lovelace`]);
  });

  itAtStation('does not decide corrections: the centre does', async ({ station }) => {
    await station.corrections.correct([forgotten(ada, 7, { state: 'pending' })]);
    await rejectionOf('NOT_ALLOWED', station.correcting.decide(1, { approve: true, by: 'boss' }));
  });

  test('ends its requests when it closes, and continues when it opens again', async ({ centre, station }) => {
    await station.sync.close();
    await station.tap(ada, 3);
    await settle();
    expect(centre.record().scans).to.deep.equal([]);
    expect(station.faults).to.deep.equal([]);
    await station.sync.open();
    await settle();
    expect(centre.record().scans).to.have.length(1);
  });

  test('asks for no changes when it closes while it looks for its place', async ({ centre, station }) => {
    await station.sync.close();
    const position = station.journal.position.bind(station.journal);
    let isClosed = false;
    station.journal.position = async (name) => {
      if (name === `upstream ${centre.contents.changes.origin}`) {
        void station.sync.close().then(() => (isClosed = true));
        await settle();
      }
      return position(name);
    };
    await station.sync.open();
    await settle();
    await settle();
    expect(isClosed).to.equal(true);
    expect(station.faults).to.deep.equal([]);
  });

  test('delays neither taps nor names while the centre does not answer', async ({ station }) => {
    let end: (error: unknown) => void = () => undefined;
    station.transport.push = () => new Promise((_, reject) => (end = reject));
    await station.tap(ada, 3);
    await station.names.put(ada, lovelace);
    await setImmediate();
    await station.tap(ada, 4);
    await station.names.put(bob, grace);
    expect(station.record().names).to.have.length(2);
    station.transport.push = () => Promise.reject(new Error('never'));
    end(new Error('never'));
  });
});
