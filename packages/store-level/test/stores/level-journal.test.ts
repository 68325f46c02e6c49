import { expect } from 'chai';
import { toDay, toTimestamp, type Cursor, type JournalEntry } from '@tallybook/domain';
import { LevelStorage, type LevelStorageOptions, type StoreNotice } from '@tallybook/store-level';
import { changeKey, journalBoundsKey, positionKey } from '../../src/rows/keys.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { deleteRawRows, readRawRows, writeRawRows } from '../fixtures/raw-rows.js';
import { openStores, type OpenStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { ada, day, at, tag, DAY_SECONDS } from '../../../testing/test/fixtures/known-values.js';

const hex = (key: Buffer): string => key.toString('hex');
/** The increase of the cursor by a repair. */
const LEAP = 10_000_000;

/** A number of new names in one commit. */
async function name({ names }: OpenStores, first: number, count: number): Promise<void> {
  const changes = Array.from(
    { length: count },
    (_, n) => [tag(first + n), { first: 'A', last: '' }] as const,
  );
  await names.change(new Map(changes));
}

async function cursorsOf({ journal }: OpenStores, after = 0): Promise<readonly Cursor[]> {
  return (await entriesOf(journal, after)).map(({ cursor }) => cursor);
}

async function entriesOf(journal: OpenStores['journal'], after = 0): Promise<readonly JournalEntry[]> {
  const page = await journal.read(after, 100_000);
  if (!page.isKnown) expect.fail(page.reason);
  return page.entries;
}

const ascending = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('LevelJournal', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  const open = (options?: LevelStorageOptions): Promise<OpenStores> => openStores(directory.path, options);

  it('is in memory for followers that are nearly up to date', async () => {
    await using stores = await open();
    await name(stores, 0, 3_000);
    probe.current.forget();
    expect(await cursorsOf(stores, 2_500)).to.deep.equal(ascending(2_501, 3_000));
    expect(probe.current.yielded).to.equal(0);
    expect(await cursorsOf(stores)).to.deep.equal(ascending(1, 3_000));
    expect(probe.current.yielded).to.equal(3_000);
  });

  it('writes its changes in the batch of their rows', async () => {
    await using stores = await open();
    probe.current.forget();
    await stores.days.record(day, ada, at(0));
    const [batch, ...others] = probe.current.batches;
    expect(others).to.be.empty;
    expect(batch?.operations.map(({ key }) => hex(key))).to.include(hex(changeKey(1)));
  });

  it('has the changes of a failed write that was written', async () => {
    await using stores = await open();
    probe.current.failOnce(new Error('the disk did not answer'), 'after');
    await stores.days.record(day, ada, at(0)).catch(() => undefined);
    expect(await stores.days.record(day, ada, at(0))).to.equal('already-counted');
    expect(await cursorsOf(stores)).to.deep.equal([1]);
  });

  it('continues during the removal of a day, and delays writes of that day', async () => {
    await using stores = await open();
    const { days, names } = stores;
    for (let n = 0; n < 50; n++) await days.record(day, tag(n), at(n));
    const outcomes = await Promise.all([
      days.record(day, ada, at(0)),
      days.remove(day),
      names.put(ada, { first: 'Ada', last: '' }),
      days.record(day, ada, at(1)),
      days.remove(day),
      days.record(day, ada, at(2)),
    ]);
    expect(outcomes).to.deep.equal(['counted', true, 'added', 'counted', true, 'counted']);
    const told = (await entriesOf(stores.journal)).map(({ change }) => change);
    expect(told.map(({ kind }) => kind)).to.have.members(['name', 'day', 'day', 'scan']);
    expect(told.at(-1)).to.include({ kind: 'scan', at: at(2) });
  });

  it('keeps no scan of a removed day on the disk', async () => {
    {
      await using stores = await open();
      for (let n = 0; n < 2_500; n++)
        void stores.days.record(n % 2 === 0 ? day : toDay(day + 1), tag(n), at(n));
      await stores.days.remove(day);
    }
    const rows = [...(await readRawRows(directory.path)).keys()].filter((key) => key.startsWith('0000'));
    expect(rows).to.have.lengthOf(1_251);
  });

  describe('within its limits', () => {
    it('removes surplus changes, some at a time, in batches of other writes', async () => {
      await using stores = await open({ journal: { limit: 1_000 } });
      await name(stores, 0, 1_000);
      probe.current.forget();
      for (let n = 1; n <= 256; n++) await stores.names.put(tag(5_000 + n), { first: 'B', last: '' });
      expect(await cursorsOf(stores)).to.deep.equal(ascending(1, 1_256));
      await stores.names.put(ada, { first: 'Ada', last: '' });
      expect(await stores.journal.read(255, 1)).to.deep.equal({ isKnown: false, reason: 'too-old' });
      expect(await cursorsOf(stores, 256)).to.deep.equal(ascending(257, 1_257));
      expect(probe.current.batches).to.have.lengthOf(257);
    });

    it('becomes short soon if it is far too long', async () => {
      {
        await using stores = await open();
        for (let round = 0; round < 5; round++) await name(stores, round * 1_000, 1_000);
      }
      await using stores = await open({ journal: { limit: 1_000 } });
      for (let n = 0; n < 20; n++) await stores.days.record(day, tag(n), at(n));
      const [first = 0] = await cursorsOf(stores, 4_500);
      expect(first).to.equal(4_501);
      const rows = await stores.journal.read(3_500, 1);
      expect(rows.isKnown).to.equal(false);
    });

    it('counts changes that were removed with days', async () => {
      await using stores = await open({ journal: { limit: 1_000 } });
      for (let n = 0; n < 600; n++) void stores.days.record(day, tag(n), at(n));
      await stores.days.remove(day);
      await name(stores, 0, 1_254);
      await stores.names.put(ada, { first: 'Ada', last: '' });
      // 1 of the day, and 1255 names.
      expect(await cursorsOf(stores)).to.deep.equal(ascending(601, 1_856));
      await stores.names.remove(ada);
      expect((await stores.journal.read(601, 1)).isKnown).to.equal(false);
    });

    it('removes all old changes with the next change, when the oldest has been too old for a day', async () => {
      let now = at(0);
      const clock = { now: () => now };
      await using stores = await open({ journal: { days: 2 }, clock });
      await name(stores, 0, 3);
      now = at(DAY_SECONDS + 2);
      await name(stores, 10, 3);
      now = at(3 * DAY_SECONDS + 1);
      expect(await cursorsOf(stores)).to.deep.equal(ascending(1, 6));
      await name(stores, 20, 1);
      expect(await stores.journal.read(2, 10)).to.deep.equal({ isKnown: false, reason: 'too-old' });
      expect(await cursorsOf(stores, 3)).to.deep.equal(ascending(4, 7));
    });

    it('treats no change as older than the one before, also after a restart with a wrong clock', async () => {
      const options = (now: number) => ({ journal: { days: 2 }, clock: { now: () => toTimestamp(now) } });
      for (const now of [at(0), 0, 0]) {
        await using stores = await open(options(now));
        await name(stores, now === 0 ? 10 : 20, 1);
        await stores.names.remove(tag(10));
      }
      await using stores = await open(options(at(1)));
      await stores.names.put(ada, { first: 'Ada', last: '' });
      expect(await cursorsOf(stores)).to.deep.equal(ascending(1, 6));
    });

    it('removes changes of unknown time together with the first old change of known time', async () => {
      let now = toTimestamp(0);
      await using stores = await open({ journal: { days: 2 }, clock: { now: () => now } });
      await name(stores, 0, 3);
      now = at(0);
      await name(stores, 10, 3);
      expect(await cursorsOf(stores)).to.deep.equal(ascending(1, 6));
      now = toTimestamp(0);
      await name(stores, 20, 1);
      now = at(3 * DAY_SECONDS + 1);
      await name(stores, 30, 1);
      expect(await stores.journal.read(6, 10)).to.deep.equal({ isKnown: false, reason: 'too-old' });
      expect(await cursorsOf(stores, 7)).to.deep.equal([8]);
    });

    it('removes nothing for its age while the time is unknown', async () => {
      let now = at(0);
      await using stores = await open({ journal: { days: 1 }, clock: { now: () => now } });
      await name(stores, 0, 3);
      now = toTimestamp(0);
      await name(stores, 10, 600);
      expect(await cursorsOf(stores)).to.deep.equal(ascending(1, 603));
    });

    it('keeps the latest change of any age', async () => {
      {
        await using stores = await open({ clock: { now: () => at(0) } });
        await name(stores, 0, 1);
      }
      await using stores = await open({ journal: { days: 1 }, clock: { now: () => at(9 * DAY_SECONDS) } });
      expect(await cursorsOf(stores)).to.deep.equal([1]);
      await name(stores, 1, 1);
      expect(await cursorsOf(stores, 1)).to.deep.equal([2]);
    });

    for (const limits of [
      { limit: 999 },
      { limit: 10_000_001 },
      { limit: NaN },
      { days: 0 },
      { days: 3_651 },
    ]) {
      it(`refuses other limits: ${JSON.stringify(limits)}`, () => {
        expect(() => new LevelStorage('anywhere', { journal: limits })).to.throw(
          RangeError,
          /from \d+ to \d+; got/,
        );
      });
    }
  });

  describe('and the positions of consumers', () => {
    it('writes them with the next commit', async () => {
      await using stores = await open();
      await name(stores, 0, 10);
      probe.current.forget();
      await stores.journal.advance('mqtt', 3);
      await stores.journal.advance('mqtt', 4);
      expect(probe.current.batches).to.be.empty;
      await stores.names.put(ada, { first: 'Ada', last: '' });
      await stores.names.remove(ada);
      const written = probe.current.batches.map(({ operations }) =>
        operations.some(({ key }) => key.equals(positionKey('mqtt'))),
      );
      expect(written).to.deep.equal([true, false]);
    });

    it('writes them alone when they are 256 changes ahead', async () => {
      await using stores = await open();
      await name(stores, 0, 600);
      await stores.journal.advance('mqtt', 1);
      await stores.names.put(ada, { first: 'Ada', last: '' });
      probe.current.forget();
      await stores.journal.advance('mqtt', 256);
      expect(probe.current.batches).to.be.empty;
      await stores.journal.advance('mqtt', 257);
      expect(probe.current.batches).to.have.lengthOf(1);
      await stores.journal.advance('mqtt', 512);
      expect(probe.current.batches).to.have.lengthOf(1);
    });

    it('writes nothing if nothing was noted', async () => {
      for (let opening = 0; opening < 2; opening++) {
        await using stores = await open();
        if (opening === 0) await stores.journal.advance('mqtt', 0);
        else expect(await stores.journal.position('mqtt')).to.equal(0);
        probe.current.forget();
        await stores.journal.advance('mqtt', 0);
      }
      expect(probe.current.batches).to.be.empty;
    });

    it('writes them later if a write fails', async () => {
      {
        await using stores = await open();
        await name(stores, 0, 10);
        await stores.journal.advance('mqtt', 3);
        probe.current.failOnce(new Error('no space left'));
        await stores.names.put(ada, { first: 'Ada', last: '' }).catch(() => undefined);
      }
      await using stores = await open();
      expect(await stores.journal.position('mqtt')).to.equal(3);
    });

    it('delays nobody when they cannot be written, and tries again 256 changes later', async () => {
      await using stores = await open();
      await name(stores, 0, 600);
      await stores.journal.advance('mqtt', 1);
      probe.current.failOnce(new Error('no space left'));
      await stores.journal.advance('mqtt', 300);
      const before = probe.current.batches.length;
      await stores.journal.advance('mqtt', 301);
      expect(probe.current.batches).to.have.length(before);
      await stores.journal.advance('mqtt', 556);
      expect(probe.current.batches.length).to.be.above(before);
    });

    it('closes even if they cannot be written', async () => {
      const stores = await open();
      await name(stores, 0, 10);
      await stores.journal.advance('mqtt', 3);
      probe.current.failOnce(new Error('no space left'));
      await stores[Symbol.asyncDispose]();
      await using others = await open();
      expect(await others.journal.position('mqtt')).to.equal(undefined);
    });
  });

  describe('when it is damaged', () => {
    beforeEach(async () => {
      await using stores = await open();
      for (let second = 0; second < 9; second++) await stores.days.record(day, ada, at(second));
      await stores.journal.advance('mqtt', 7);
    });

    it('sends followers that read there to the record, continues after it, and reports the damage', async () => {
      await writeRawRows(directory.path, { [hex(changeKey(4))]: '00' });
      const notices: StoreNotice[] = [];
      await using stores = await open({ notify: (notice) => notices.push(notice) });
      expect(await cursorsOf(stores, 1)).to.deep.equal([2, 3]);
      expect(notices).to.deep.equal([]);
      expect(await stores.journal.read(3, 10)).to.deep.equal({ isKnown: false, reason: 'too-old' });
      expect(notices.map(({ kind }) => kind)).to.deep.equal(['damaged']);
      expect(await cursorsOf(stores, 4)).to.deep.equal(ascending(5, 9));
      await stores.days.record(day, ada, at(9));
      expect(await cursorsOf(stores, 9)).to.deep.equal([10]);
    });

    it('treats a damaged position as the beginning', async () => {
      await writeRawRows(directory.path, { [hex(positionKey('mqtt'))]: '00' });
      await using stores = await open();
      expect(await stores.journal.position('mqtt')).to.equal(0);
    });

    it('does not block writes when the oldest change is damaged', async () => {
      await writeRawRows(directory.path, { [hex(changeKey(1))]: '00' });
      await using stores = await open();
      expect(await stores.days.record(day, ada, at(20))).to.equal('already-counted');
      expect(await cursorsOf(stores, 1)).to.deep.equal(ascending(2, 10));
    });

    it('is repaired: sound changes stay, and a last change with a much larger cursor reports the repair', async () => {
      await deleteRawRows(directory.path, [hex(changeKey(4))]);
      const { damages } = await LevelStorage.repair(directory.path);
      expect(damages).to.deep.equal(['the journal should have 9 changes and has 8']);
      await using stores = await open();
      const entries = await entriesOf(stores.journal);
      expect(entries.map(({ cursor }) => cursor)).to.deep.equal([1, 2, 3, 5, 6, 7, 8, 9, 9 + LEAP]);
      expect(entries.at(-1)?.change).to.deep.equal({ kind: 'repaired' });
      expect(await stores.journal.position('mqtt')).to.equal(7);
      await stores.days.record(day, ada, at(20));
      expect(await stores.journal.latest()).to.equal(10 + LEAP);
    });

    it('is repaired, with a last change after every position', async () => {
      const lost = ascending(1, 9).map((cursor) => hex(changeKey(cursor)));
      await deleteRawRows(directory.path, lost);
      await writeRawRows(directory.path, { [hex(journalBoundsKey)]: '00' });
      const { damages } = await LevelStorage.repair(directory.path);
      expect(damages.join()).to.include('damaged');
      await using stores = await open();
      expect(await stores.journal.latest()).to.equal(7 + LEAP);
    });

    it('is repaired at the opening, if that is set, when its bounds are lost', async () => {
      await writeRawRows(directory.path, { [hex(journalBoundsKey)]: '00' });
      await using stores = await open({ repairsDamage: true });
      expect((await entriesOf(stores.journal)).at(-1)?.change.kind).to.equal('repaired');
    });
  });
});
