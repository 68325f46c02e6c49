import { getEventListeners } from 'node:events';
import { TallybookError, toDay, type Change, type Day, type Journal } from '@tallybook/domain';
import type { Correction } from '@tallybook/domain/record';
import { SYNC_MAX_ITEMS, type ReadSnapshotPart } from '@tallybook/domain/sync';
import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { ChangeWatch } from '../../src/sync/centre/change-watch.js';
import { soundCorrections, soundOr } from '../../src/sync/items/sound-rows.js';
import { inGroups } from '../../src/sync/station/upload.js';
import { mustWait, waitingNames } from '../../src/sync/station/waiting-changes.js';
import {
  ada,
  at,
  babbage,
  bob,
  Centre,
  Contents,
  lovelace,
  pass,
  settle,
  Station,
  TODAY,
  itAtStation,
  itAtCentre as test,
} from './sync-world.js';
import { rejectionOf } from '../fixtures/throws.js';
import { listOf, reading } from '../fixtures/streams.js';
import { notingIn, type Note } from '../fixtures/notes.js';

const YESTERDAY = toDay(TODAY - 1);

/** A journal of exactly these changes. From an `undefined` on, cursors are unknown to it. */
function journalOf(...changes: readonly (Change | undefined)[]): Journal {
  const end = changes.indexOf(undefined);
  const known = (end === -1 ? changes : changes.slice(0, end)) as readonly Change[];
  const read: Journal['read'] = (after, limit) => {
    if (end !== -1 && after >= end) return Promise.resolve({ isKnown: false, reason: 'too-old' });
    const entries = known.map((change, index) => ({ cursor: index + 1, change })).slice(after, after + limit);
    return Promise.resolve({ isKnown: true, entries });
  };
  return { read } as unknown as Journal;
}

const scanOf = (day: Day): Change => ({ kind: 'scan', day, id: ada, at: at(1) }) as unknown as Change;
const changeOf = (kind: string, more: object = {}): Change =>
  ({ kind, id: ada, ...more }) as unknown as Change;

describe('a change that waits to be sent', () => {
  it('delays changes of the centre if it is a name or a correction, or is unknown', async () => {
    for (const change of [changeOf('name'), changeOf('correction'), changeOf('repaired'), undefined]) {
      expect(await mustWait(journalOf(change), 0, new Set()), change?.kind).to.equal(true);
    }
    for (const kind of ['provisional', 'erased']) {
      expect(await mustWait(journalOf(changeOf(kind)), 0, new Set([TODAY])), kind).to.equal(false);
    }
    expect(await mustWait(journalOf(), 0, new Set([TODAY]))).to.equal(false);
  });

  it('delays changes of a day if it is of that day', async () => {
    for (const change of [scanOf(TODAY), changeOf('day', { day: TODAY })]) {
      expect(await mustWait(journalOf(change), 0, new Set([TODAY])), change.kind).to.equal(true);
      expect(await mustWait(journalOf(change), 0, new Set([YESTERDAY])), change.kind).to.equal(false);
    }
    // Changes after the first thousand count too; changes that were already sent do not.
    const many = [...Array.from({ length: 1_500 }, () => scanOf(YESTERDAY)), scanOf(TODAY)];
    expect(await mustWait(journalOf(...many), 0, new Set([TODAY]))).to.equal(true);
    expect(await mustWait(journalOf(...many), 1_500, new Set([YESTERDAY]))).to.equal(false);
  });

  it('is found for names of given tags, or of unknown tags', async () => {
    const names = [changeOf('name'), scanOf(TODAY), changeOf('name', { id: bob }), changeOf('name')];
    expect(await waitingNames(journalOf(...names), 0)).to.deep.equal(new Set([ada, bob]));
    expect(await waitingNames(journalOf(...names, changeOf('repaired')), 0)).to.equal(undefined);
    expect(await waitingNames(journalOf(...names, undefined), 0)).to.equal(undefined);
  });
});

describe('a read of partly damaged rows', () => {
  const listWithout = (
    ...damaged: readonly number[]
  ): { list: (from: Day, to: Day) => Promise<Correction[]> } => ({
    list: (from, to) => {
      if (damaged.some((day) => day >= from && day <= to)) {
        return Promise.reject(new TallybookError('STORE_CORRUPT', 'a row is damaged'));
      }
      const days = Array.from({ length: to - from + 1 }, (_, n) => from + n);
      return Promise.resolve(days.map((day) => ({ day }) as unknown as Correction));
    },
  });

  it('gives the corrections of all sound days, in their order', async () => {
    for (const damaged of [[], [0], [3], [10], [3, 4], [0, 10], [2, 5, 9]]) {
      const found = await soundCorrections(listWithout(...damaged), toDay(0), toDay(10));
      const sound = Array.from({ length: 11 }, (_, day) => day).filter((day) => !damaged.includes(day));
      expect(found.map(({ day }) => day)).to.deep.equal(sound);
    }
  });

  it('is empty for a single damaged day, and fails for any other reason', async () => {
    expect(await soundCorrections(listWithout(7), toDay(7), toDay(7))).to.deep.equal([]);
    const away = (): Promise<never> => Promise.reject(new TallybookError('STORE_READ_FAILED', 'it is away'));
    await rejectionOf('STORE_READ_FAILED', soundOr(away));
    await rejectionOf('STORE_READ_FAILED', soundCorrections({ list: away }, toDay(0), toDay(10)));
  });
});

describe('groups of items', () => {
  it('are at least one, and only the only one may be empty', async () => {
    const groupsOf = async (count: number): Promise<readonly number[]> => {
      const groups = await listOf(inGroups(reading(Array(count).keys())));
      return groups.map(({ length }) => length);
    };
    expect(await groupsOf(0)).to.deep.equal([0]);
    expect(await groupsOf(SYNC_MAX_ITEMS)).to.deep.equal([SYNC_MAX_ITEMS]);
    expect(await groupsOf(SYNC_MAX_ITEMS + 1)).to.deep.equal([SYNC_MAX_ITEMS, 1]);
  });
});

describe('a watch of changes', () => {
  test('does not wait while it is closed, for 0 ms, or for a change that is already there', async (centre) => {
    const appointments = watchAppointments(centre.clock);
    const watch = new ChangeWatch(centre.journal, centre.clock);
    await watch.wait(0, 1_000);
    await watch.open();
    await watch.wait(0, 0);
    await centre.mapping.put(ada, lovelace);
    await settle();
    await watch.wait(0, 1_000);
    expect(appointments.asked).to.deep.equal([]);
    const waiting = watch.wait(1, 1_000);
    expect(appointments.waiting).to.deep.equal([1_000]);
    await watch.close();
    await waiting;
    expect(appointments.waiting).to.deep.equal([]);
  });

  test('reads no more changes when it is closed', async (centre) => {
    const watch = new ChangeWatch(centre.journal, centre.clock);
    await watch.open();
    await watch.close();
    let reads = 0;
    const read = centre.journal.read.bind(centre.journal);
    centre.journal.read = (...args) => {
      if (args[1] === 1_000) reads++;
      return read(...args);
    };
    await centre.sync.close();
    await centre.mapping.put(ada, lovelace);
    await settle();
    expect(reads).to.equal(0);
  });

  test('does not wake for merged days and scans, which stations do not get', async (centre) => {
    const watch = new ChangeWatch(centre.journal, centre.clock);
    await watch.open();
    let isOver = false;
    const waiting = watch.wait(await centre.journal.latest(), 1_000).then(() => (isOver = true));
    await centre.days.merge(TODAY, [{ id: ada, first: at(1), last: at(2), count: 2 }]);
    await centre.days.record(TODAY, ada, at(3));
    await settle();
    expect(isOver).to.equal(false);
    await centre.days.remove(TODAY);
    await waiting;
    await watch.close();
  });

  test('leaves no listener on the signal of a request, however the wait ends', async (centre) => {
    const watch = new ChangeWatch(centre.journal, centre.clock);
    await watch.open();
    const controller = new AbortController();
    const ends: readonly (() => Promise<unknown>)[] = [
      async () => centre.clock.advance(1_000),
      () => centre.mapping.put(ada, lovelace),
      async () => controller.abort(),
    ];
    for (const end of ends) {
      const waiting = watch.wait(await centre.journal.latest(), 1_000, controller.signal);
      expect(getEventListeners(controller.signal, 'abort')).to.have.length(1);
      await end();
      await waiting;
      expect(getEventListeners(controller.signal, 'abort')).to.have.length(0);
    }
    await watch.close();
  });
});

describe('a station', () => {
  itAtStation('removes no day while one of its scans waits to be sent', async ({ centre, station }) => {
    await station.tap(bob, 1);
    await settle();
    let isCut = true;
    const push = station.transport.push.bind(station.transport);
    station.transport.push = (batch) => (isCut ? Promise.reject(new Error('cut')) : push(batch));
    await station.tap(ada, 2);
    await station.tap(ada, 2, YESTERDAY);
    await centre.days.remove(TODAY);
    await pass([station, centre], 30);
    expect(station.record().scans).to.have.length(3);
    isCut = false;
    await pass([station, centre], 60);
    expect(centre.record().scans).to.include(`${TODAY} ${ada} ${at(2)}`);
  });

  test('takes a new snapshot after a cut one, and does not continue from its head', async (centre) => {
    await centre.mapping.put(ada, lovelace);
    const station = new Station('gate', centre);
    const snapshot = station.transport.snapshot.bind(station.transport);
    let isCut = true;
    station.transport.snapshot = async function* (): AsyncGenerator<ReadSnapshotPart, void, undefined> {
      for await (const part of snapshot()) if (!isCut || part.kind === 'head') yield part;
    };
    await station.open(station.sync);
    await pass([station, centre], 10);
    expect(station.record().names).to.deep.equal([]);
    expect(station.faults[0]).to.have.property('code', 'INVALID_SYNC');
    isCut = false;
    await pass([station, centre], 60);
    expect(station.record().names).to.deep.equal([`${ada} Ada Lovelace`]);
    await station[Symbol.asyncDispose]();
  });

  test('takes nothing from a snapshot of another journal', async (centre) => {
    await centre.mapping.put(ada, lovelace);
    const station = new Station('gate', centre);
    const snapshot = station.transport.snapshot.bind(station.transport);
    let isOther = true;
    station.transport.snapshot = async function* (): AsyncGenerator<ReadSnapshotPart, void, undefined> {
      for await (const part of snapshot()) {
        yield isOther && part.kind === 'head' ? { ...part, origin: 'another' } : part;
      }
    };
    await station.open(station.sync);
    await pass([station, centre], 10);
    expect(station.record().names).to.deep.equal([]);
    isOther = false;
    await pass([station, centre], 60);
    expect(station.record().names).to.deep.equal([`${ada} Ada Lovelace`]);
    await station[Symbol.asyncDispose]();
  });

  test('sends back nothing of the snapshot that it takes after a repair', async (centre) => {
    const contents = new Contents();
    {
      await using station = await Station.open('gate', centre, contents);
      await station.tap(ada, 1);
      await settle();
      await station.journal.advance('upstream after-repair', 1);
    }
    await using station = await Station.open('gate', centre, contents);
    await settle();
    expect(station.transport.snapshots).to.equal(1);
    expect(station.transport.batches.flatMap(({ items }) => items)).to.deep.equal([]);
  });
});

describe('a centre', () => {
  test('answers with the erasures that refused an item, and with no others', async (centre) => {
    await centre.erasures.erase({ ids: [ada], until: at(10), expiresAt: at(9_999) });
    await centre.erasures.erase({ ids: [bob], until: at(20), expiresAt: at(9_999) });
    const scan = { kind: 'scan', day: TODAY, id: ada, at: at(5) };
    const { erasures } = await centre.take(scan);
    expect(erasures.map(({ until }) => until)).to.deep.equal([at(10)]);
    expect((await centre.take({ ...scan, at: at(11) })).erasures).to.deep.equal([]);
  });

  it('notes a name whose first or last name changed, and no unchanged one', async () => {
    const notes: Note[] = [];
    await using centre = await Centre.open(undefined, notingIn(notes));
    const names = [
      lovelace,
      { ...lovelace, last: 'Byron' },
      { first: 'Anne', last: 'Byron' },
      babbage,
      babbage,
    ];
    for (const [n, name] of names.entries()) {
      const stamp = { ms: at(n - 60) * 1_000, counter: 0, node: 'gate' };
      await centre.take({ kind: 'name', id: ada, name, stamp });
    }
    expect(notes.map(([, , details]) => details)).to.deep.equal(Array(4).fill({ names: 1, corrections: 0 }));
  });
});
