import {
  Calendar,
  parseTallyId,
  TallybookError,
  Timekeeper,
  toTimestamp,
  type Day,
  type ErrorCode,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { UNNAMED_MAX_TAGS, UnnamedTags } from '@tallybook/domain/record';
import {
  ManualClock,
  MemoryDayStore,
  MemoryJournal,
  MemoryMappingStore,
  noChanges,
} from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf } from '../../fixtures/throws.js';
import { lovelace, DAY_SECONDS } from '../../../../testing/test/fixtures/known-values.js';

const [ada, bob, eve] = ['0A0A0A', '0B0B0B', '0E0E0E'].map(parseTallyId) as [TallyId, TallyId, TallyId];
const now = 20_413 * DAY_SECONDS + 3_600;
const pause = (): Promise<void> => Promise.resolve();

describe('UnnamedTags', () => {
  const calendar = new Calendar();
  let days: MemoryDayStore;
  let mapping: MemoryMappingStore;
  let journal: MemoryJournal;
  let clock: ManualClock;
  let timekeeper: Timekeeper;
  let unnamed: UnnamedTags;

  beforeEach(async () => {
    journal = new MemoryJournal(noChanges(), { limit: 10_000 });
    days = new MemoryDayStore(new Map(), journal);
    mapping = new MemoryMappingStore();
    clock = new ManualClock(now);
    timekeeper = new Timekeeper(clock);
    unnamed = new UnnamedTags({ days, mapping, calendar, timekeeper, journal });
    for (const part of [days, mapping, journal]) await part.open();
  });

  afterEach(async () => {
    for (const part of [days, mapping, journal]) await part.close();
  });

  /** Records a scan some seconds ago. */
  async function tap(id: TallyId, secondsAgo: number, reader?: string): Promise<void> {
    const at = toTimestamp(now - secondsAgo);
    await days.record(calendar.dayOf(at), id, at, reader === undefined ? undefined : { reader });
  }

  it('leaves out a damaged day, and fails if the store fails otherwise', async () => {
    await tap(bob, DAY_SECONDS);
    await tap(eve, 20);
    const load = days.load.bind(days);
    let code: ErrorCode = 'STORE_CORRUPT';
    days.load = (day) => (day === 20_413 ? Promise.reject(new TallybookError(code, 'torn')) : load(day));
    expect(await unnamed.list(3, pause)).to.deep.equal([
      { id: bob, at: now - DAY_SECONDS, day: 20_412, scans: 1 },
    ]);
    code = 'STORE_READ_FAILED';
    await rejectionOf(code, unnamed.list(3, pause));
  });

  it('lists tags without a name, the latest first, with their scans on all searched days', async () => {
    await mapping.put(ada, lovelace);
    await tap(eve, 2 * DAY_SECONDS);
    await tap(bob, DAY_SECONDS + 5);
    await tap(bob, DAY_SECONDS);
    await tap(ada, 30);
    await tap(eve, 20);
    await tap(bob, 40);
    await tap(bob, 10);
    expect(await unnamed.list(3, pause)).to.deep.equal([
      { id: bob, at: now - 10, day: 20_413, scans: 4 },
      { id: eve, at: now - 20, day: 20_413, scans: 2 },
    ]);
  });

  it('searches a number of days, the last of which is today', async () => {
    await tap(bob, 2 * DAY_SECONDS);
    await tap(eve, -DAY_SECONDS);
    expect(await unnamed.list(2, pause)).to.deep.equal([]);
    expect(await unnamed.list(3, pause)).to.deep.equal([
      { id: bob, at: now - 2 * DAY_SECONDS, day: 20_411, scans: 1 },
    ]);
    expect((await unnamed.list(3_660, pause)).length).to.equal(1);
  });

  it('searches back from the latest scan if the clock is behind it', async () => {
    await tap(bob, 0);
    timekeeper.noteScan(toTimestamp(now));
    clock.set(60);
    expect((await unnamed.list(1, pause)).map(({ id }) => id)).to.deep.equal([bob]);
  });

  it('does not search before the first possible day', async () => {
    clock.set(60);
    await days.record(0 as Day, bob, 30 as Timestamp);
    expect((await unnamed.list(3_660, pause)).map(({ id }) => id)).to.deep.equal([bob]);
  });

  it('names the reader of the latest scan, as far as the journal has it', async () => {
    await tap(bob, 50, 'hall');
    await tap(bob, 40, 'door');
    await tap(eve, 30, 'door');
    await tap(eve, 20);
    const its = [
      { id: eve, at: now - 20, day: 20_413, scans: 2 },
      { id: bob, at: now - 40, day: 20_413, scans: 2, reader: 'door' },
    ];
    expect(await unnamed.list(1, pause)).to.deep.equal(its);
    for (let n = 0; n < 4_092; n++) journal.append({ kind: 'name', id: ada, action: 'replaced' });
    expect(await unnamed.list(1, pause)).to.deep.equal(its);
    for (let n = 0; n < 4; n++) journal.append({ kind: 'name', id: ada, action: 'replaced' });
    expect((await unnamed.list(1, pause)).map(({ reader }) => reader)).to.deep.equal([undefined, undefined]);
  });

  it('names the readers that are left in a shortened journal', async () => {
    journal = new MemoryJournal(noChanges(), { limit: 100 });
    await journal.open();
    days = new MemoryDayStore(new Map(), journal);
    await days.open();
    unnamed = new UnnamedTags({ days, mapping, calendar, timekeeper, journal });
    for (let n = 0; n < 5_000; n++) journal.append({ kind: 'name', id: ada, action: 'replaced' });
    await tap(bob, 10, 'door');
    expect((await unnamed.list(1, pause))[0]?.reader).to.equal('door');
  });

  it('names the readers of the scans after a gap of the cursors', async () => {
    await tap(bob, 10, 'door');
    const raised = 2 ** 32;
    const read = journal.read.bind(journal);
    journal.latest = () => Promise.resolve(raised + 1);
    journal.read = async (after, limit) => {
      if (after < raised) return { isKnown: false, reason: 'ahead', next: raised };
      const page = await read(after - raised, limit);
      if (!page.isKnown) return page;
      return {
        isKnown: true,
        entries: page.entries.map(({ cursor, change }) => ({ cursor: cursor + raised, change })),
      };
    };
    expect((await unnamed.list(1, pause))[0]?.reader).to.equal('door');
  });

  it('keeps the reader of the latest scan when an earlier one is filed after it', async () => {
    await tap(bob, 10, 'door');
    await tap(bob, 20, 'hall');
    expect((await unnamed.list(1, pause))[0]?.reader).to.equal('door');
  });

  it(`lists at most ${UNNAMED_MAX_TAGS} tags, the latest`, async () => {
    const ids = Array.from({ length: UNNAMED_MAX_TAGS + 1 }, (_, n) =>
      parseTallyId(String(n).padStart(8, '0')),
    );
    for (const [n, id] of ids.entries()) await tap(id, ids.length - n, 'door');
    const [oldest = ada, second = ada] = ids;
    await tap(oldest, DAY_SECONDS);
    const listed = await unnamed.list(2, pause);
    expect(listed.map(({ id }) => id)).to.deep.equal(ids.slice(1).reverse());
    expect(listed.every(({ reader }) => reader === 'door')).to.equal(true);
    await mapping.put(second, lovelace);
    expect((await unnamed.list(2, pause)).at(-1)?.id).to.equal(oldest);
  });

  it('lets other work run while it reads a long day', async () => {
    const day = calendar.dayOf(toTimestamp(now));
    for (let n = 0; n < 3_000; n++) {
      await days.record(day, parseTallyId(String(n).padStart(8, '0')), toTimestamp(now - n));
    }
    let pauses = 0;
    let looked = 0;
    let most = 0;
    mapping.get = () => {
      most = Math.max(most, ++looked);
      return Promise.resolve(lovelace);
    };
    const listed = await unnamed.list(1, () => {
      pauses++;
      looked = 0;
      return Promise.resolve();
    });
    expect(listed).to.deep.equal([]);
    expect(most).to.be.at.most(500);
    expect(pauses).to.be.at.least(6);
  });

  it('rejects as its stores do', async () => {
    await mapping.close();
    await tap(bob, 1);
    await rejectionOf('NOT_OPEN', unnamed.list(1, pause));
  });
});
