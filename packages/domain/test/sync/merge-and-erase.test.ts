import {
  openAll,
  parseTallyId,
  Timekeeper,
  toDay,
  toTimestamp,
  type Day,
  type Entry,
  type RecordOutcome,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import type { Correction, StampedName } from '@tallybook/domain/record';
import { CentreSync } from '@tallybook/domain/sync';
import {
  ManualClock,
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryStampedNames,
  MemoryStationStore,
} from '@tallybook/testing';
import { expect } from 'chai';
import { testOn } from '../fixtures/test-on.js';

const NOW = 1_763_700_000;
const ada = parseTallyId('04A2B3C4D5');
const bob = parseTallyId('0006547886');
const day = toDay(20_410);
const first = toTimestamp(NOW - 5_000);
const last = toTimestamp(NOW - 2_000);
const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' };

/** Names that run a callback when they are read. */
class WatchedNames extends MemoryStampedNames {
  onGet: () => Promise<unknown> = () => Promise.resolve();

  override async get(ids: readonly TallyId[]): Promise<readonly StampedName[]> {
    const names = await super.get(ids);
    await this.onGet();
    return names;
  }
}

/** Days that run a callback when a scan is recorded. */
class WatchedDays extends MemoryDayStore {
  onRecord: () => Promise<unknown> = () => Promise.resolve();

  override async record(of: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
    await this.onRecord();
    return super.record(of, id, at);
  }
}

/** Corrections that run a callback when they are read. */
class WatchedCorrections extends MemoryCorrectionStore {
  onList: () => Promise<unknown> = () => Promise.resolve();

  override async list(from: Day, to: Day): Promise<readonly Correction[]> {
    const corrections = await super.list(from, to);
    await this.onList();
    return corrections;
  }
}

async function openCentre() {
  const journal = new MemoryJournal();
  const mapping = new MemoryMappingStore(new Map(), journal);
  const [days, stamped] = [new WatchedDays(new Map(), journal), new WatchedNames(mapping)];
  const corrections = new WatchedCorrections(undefined, journal);
  const erasures = new MemoryErasureStore({ mapping, days, corrections, journal });
  const [stations, clock] = [new MemoryStationStore(), new ManualClock(NOW)];
  const timekeeper = new Timekeeper(clock);
  const centre = new CentreSync({
    days,
    stamped,
    corrections,
    erasures,
    timekeeper,
    journal,
    stations,
    clock,
  });
  const opened = await openAll([journal, mapping, days, stamped, corrections, erasures, stations, centre]);
  const erase = (id: TallyId, until: Timestamp) =>
    erasures.erase({ ids: [id], until, expiresAt: toTimestamp(NOW + 9) });
  const push = (item: object) =>
    centre.push('hall', { run: 'run', after: 0, through: 1, items: [{ cursor: 1, ...item }], status });
  return { mapping, days, stamped, corrections, erase, push, [Symbol.asyncDispose]: () => opened.close() };
}

const test = testOn(openCentre);

describe('While a batch of a station is merged', () => {
  test('no name of a person who is erased meanwhile is restored', async (centre) => {
    centre.stamped.onGet = () => centre.erase(ada, toTimestamp(NOW));
    const stamp = { ms: (NOW - 9) * 1_000, counter: 0, node: 'hall' };
    const { refused } = await centre.push({ kind: 'name', id: ada, name: { first: 'Ada', last: '' }, stamp });
    expect(await centre.mapping.get(ada)).to.equal(undefined);
    expect(refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
  });

  test('no correction of a person who is erased meanwhile is restored', async (centre) => {
    centre.corrections.onList = () => centre.erase(ada, toTimestamp(NOW));
    const made = { reason: 'forgotten', author: 'eve', madeAt: NOW - 9, state: 'approved' };
    const correction = { action: 'add', day, id: ada, at: first, ...made };
    const { refused } = await centre.push({ kind: 'correction', correction });
    centre.corrections.onList = () => Promise.resolve();
    expect(await centre.corrections.list(day, day)).to.deep.equal([]);
    expect(refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
  });

  test('no entry of a person who is erased meanwhile is restored', async (centre) => {
    // Only the last scan of a partly erased entry is recorded.
    await centre.erase(bob, toTimestamp(NOW - 3_000));
    centre.days.onRecord = () => centre.erase(ada, toTimestamp(NOW));
    const entries = [ada, bob].map((id): Entry => ({ id, first, last, count: 5 }));
    await centre.push({ kind: 'entries', day, entries });
    expect((await centre.days.load(day))?.entries).to.deep.equal([{ id: bob, first: last, last, count: 1 }]);
  });
});
