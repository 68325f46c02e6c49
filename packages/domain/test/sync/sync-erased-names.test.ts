import { openAll, parseTallyId, Timekeeper, toTimestamp, type OpenResources } from '@tallybook/domain';
import { NO_STAMP } from '@tallybook/domain/record';
import { CentreSync, type NameItem, type SyncAnswer } from '@tallybook/domain/sync';
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

const ada = parseTallyId('04A2B3C4D5');
const name = { first: 'Ada', last: 'Lovelace' };
const other = { first: 'Grace', last: 'Hopper' };
const SECONDS = 1_763_700_000;
const ms = SECONDS * 1_000;

describe('names of an erased person, at a centre', () => {
  const clock = new ManualClock(SECONDS);
  let opened: OpenResources;
  let centre: CentreSync;
  let stamped: MemoryStampedNames;

  beforeEach(async () => {
    const journal = new MemoryJournal();
    const mapping = new MemoryMappingStore(new Map(), journal);
    const days = new MemoryDayStore(new Map(), journal);
    const corrections = new MemoryCorrectionStore(undefined, journal);
    const erasures = new MemoryErasureStore({ mapping, days, corrections, journal });
    const stations = new MemoryStationStore();
    stamped = new MemoryStampedNames(mapping);
    const timekeeper = new Timekeeper(clock);
    centre = new CentreSync({ days, stamped, corrections, erasures, journal, stations, timekeeper, clock });
    opened = await openAll([...[journal, mapping, days, corrections, erasures, stamped, stations], centre]);
    await erasures.erase({ ids: [ada], until: toTimestamp(SECONDS), expiresAt: toTimestamp(SECONDS * 2) });
    clock.advance(10_000);
  });

  afterEach(() => opened.close());

  function push(item: Pick<NameItem, 'name' | 'stamp'>): Promise<SyncAnswer> {
    const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };
    const items = [{ cursor: 1, kind: 'name', id: ada, ...item }];
    return centre.push('door', { run: 'run', after: 0, through: 1, items, status });
  }

  it('are refused if they are from before the erasure, and the station gets the answer that there is no name', async () => {
    const answer = await push({ name, stamp: { ms, counter: 0, node: 'door' } });
    expect(answer.refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
    expect(answer.superseded).to.deep.equal([{ kind: 'name', id: ada, name: null, stamp: NO_STAMP }]);
    expect(await stamped.get([ada])).to.be.empty;
  });

  it('are refused if their time is unknown', async () => {
    const answer = await push({ name, stamp: null });
    expect(answer.refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
    expect(answer.superseded).to.deep.equal([{ kind: 'name', id: ada, name: null, stamp: NO_STAMP }]);
  });

  it('are refused if the clock was so far ahead that their time is unknown', async () => {
    const answer = await push({ name, stamp: { ms: ms + 1e9, counter: 0, node: 'door' } });
    expect(answer.refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
    expect(await stamped.get([ada])).to.be.empty;
  });

  it('are answered with the name of the next holder', async () => {
    const stamp = { ms: ms + 5_000, counter: 0, node: 'desk' };
    await stamped.replace([{ id: ada, name: other, stamp }]);
    const answer = await push({ name, stamp: null });
    expect(answer.superseded).to.deep.equal([{ kind: 'name', id: ada, name: other, stamp }]);
  });

  it('are not refused if they were removed, because a removal has no personal data', async () => {
    const answer = await push({ name: null, stamp: { ms, counter: 0, node: 'door' } });
    expect(answer.refused).to.be.empty;
    expect(await stamped.get([ada])).to.be.empty;
  });

  it('are accepted if they are from after the erasure', async () => {
    const answer = await push({ name: other, stamp: { ms: ms + 2_000, counter: 0, node: 'door' } });
    expect(answer.refused).to.be.empty;
    expect((await stamped.get([ada]))[0]?.name).to.deep.equal(other);
  });
});
