import {
  AttendanceService,
  Calendar,
  TallybookError,
  Timekeeper,
  toDay,
  type PushResult,
  type ReceiptStore,
  type RecordOutcome,
} from '@tallybook/domain';
import {
  idSourceContract,
  ManualClock,
  MemoryDayStore,
  MemoryMappingStore,
  MemoryProvisionalStore,
  Recorder,
} from '@tallybook/testing';
import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { itRefusesUrls } from '../fixtures/refused-urls.js';
import { createIdFormat, createReader, HttpIdSource, type HttpReaderOptions } from '../../src/index.js';

const ADA = '04A2B3C4D5';
const BOB = '0006547886';
const CYD = '7F00000001';
/** 2025-11-21T04:40:00Z. */
const NOW = 1_763_700_000;
const TODAY = 20_413;
const contractClock = new ManualClock();

idSourceContract(
  { describe, it },
  {
    name: 'HttpIdSource',
    clock: contractClock,
    pluggable: false,
    make: () => {
      const source = new HttpIdSource({ name: 'door' }, contractClock);
      const push = async (id: string): Promise<void> => {
        await source.push({ run: '0', readings: [{ id }] });
      };
      return { source, present: push, garble: () => push('no id'), cleanup: () => source.close() };
    },
  },
);

/** Refuses when the test says so. */
class ScriptedReceipts implements Pick<ReceiptStore, 'latest' | 'note'> {
  readonly noted = new Map<string, number>();
  readonly writes: string[] = [];
  failure: Error | undefined;

  latest(device: string, run: string): Promise<number> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.resolve(this.noted.get(`${device} ${run}`) ?? 0);
  }

  note(device: string, run: string, number: number): Promise<void> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    this.noted.set(`${device} ${run}`, number);
    this.writes.push(`${device} ${run} ${number}`);
    return Promise.resolve();
  }
}

/** A day store that runs a callback when a scan is recorded. */
class ScriptedDays extends MemoryDayStore {
  failure: Error | undefined;
  isSilent = false;

  override async record(...scan: Parameters<MemoryDayStore['record']>): Promise<RecordOutcome> {
    if (this.failure !== undefined) throw this.failure;
    if (this.isSilent) await new Promise(() => undefined);
    return super.record(...scan);
  }
}

/** Holds back all records until the returned function is called. */
function hold(days: MemoryDayStore): () => void {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const record = days.record.bind(days);
  days.record = async (...scan) => gate.then(() => record(...scan));
  return () => release();
}

const closings: (() => Promise<void>)[] = [];

/** A reader, and an attendance service for its readings. */
async function start(
  options: Partial<HttpReaderOptions> & { readonly backlogLimit?: number; readonly clock?: ManualClock } = {},
): Promise<{
  readonly clock: ManualClock;
  readonly days: ScriptedDays;
  readonly receipts: ScriptedReceipts;
  readonly source: HttpIdSource;
  readonly service: AttendanceService;
  readonly push: (...readings: unknown[]) => Promise<readonly PushResult[]>;
  /** Pushes readings of a run, and resolves with their outcomes. */
  readonly send: (run: string, ...readings: unknown[]) => Promise<string[]>;
  readonly pushed: (...readings: unknown[]) => Promise<string[]>;
  readonly entries: (
    day?: number,
  ) => Promise<readonly (readonly [id: string, first: number, count: number])[]>;
}> {
  const { clock = new ManualClock(NOW), backlogLimit = 10 } = options;
  const days = new ScriptedDays();
  const receipts = new ScriptedReceipts();
  const mapping = new MemoryMappingStore();
  const provisional = new MemoryProvisionalStore();
  const timekeeper = new Timekeeper(clock, { builtAt: NOW - 1_000_000 });
  const service = new AttendanceService(
    { days, mapping, provisional, calendar: new Calendar(), timekeeper },
    { backlogLimit },
  );
  const source = new HttpIdSource(
    { name: 'door', timekeeper, receipts: receipts as Partial<ReceiptStore> as ReceiptStore, ...options },
    clock,
  );
  service.listen(source);
  const send = async (run: string, ...readings: unknown[]): Promise<string[]> =>
    outcomes((await source.push({ run, readings })) ?? []);
  for (const part of [days, mapping, provisional, service, source]) await part.open();
  closings.push(async () => {
    days.failure = undefined;
    days.isSilent = false;
    for (const part of [source, service, provisional, mapping, days]) await part.close();
  });
  return {
    clock,
    days,
    receipts,
    source,
    service,
    push: async (...readings) => (await source.push({ run: '0', readings })) ?? [],
    send,
    pushed: (...readings) => send('0', ...readings),
    entries: async (day = TODAY) =>
      ((await days.load(toDay(day)))?.entries ?? []).map(
        ({ id, first, count }) => [id, first, count] as const,
      ),
  };
}

const outcomes = (results: readonly PushResult[]): string[] => results.map(({ outcome }) => outcome);
const codes = (results: readonly PushResult[]): (string | undefined)[] =>
  results.map(({ error }) => error?.code);

describe('HttpIdSource', () => {
  afterEach(async () => {
    for (const close of closings.splice(0)) await close();
  });

  it('records pushed readings, and answers for each whether it was the first of that tag today', async () => {
    const { push, entries, clock } = await start();
    expect(await push({ id: '04:a2:b3:c4:d5', n: 1 }, { id: BOB, n: 2 })).to.deep.equal([
      { n: 1, outcome: 'counted' },
      { n: 2, outcome: 'counted' },
    ]);
    clock.advance(60_000);
    expect(await push({ id: ADA })).to.deep.equal([{ n: undefined, outcome: 'already-counted' }]);
    expect(await entries()).to.deep.equal([
      [ADA, NOW, 2],
      [BOB, NOW, 1],
    ]);
  });

  it('accepts bare ids, and numbers if the format has them', async () => {
    const { pushed } = await start({ format: createIdFormat({ spelling: 'dec' }) });
    expect(await pushed('6547886', 6547887)).to.deep.equal(['counted', 'counted']);
  });

  it('accepts a number once, also when it is sent again after a restart', async () => {
    const first = await start();
    expect(await first.pushed({ id: ADA, n: 1 }, { id: BOB, n: 2 })).to.deep.equal(['counted', 'counted']);
    first.clock.advance(60_000);
    expect(await first.pushed({ id: BOB, n: 2 }, { id: CYD, n: 3 })).to.deep.equal(['repeated', 'counted']);
    expect(first.receipts.writes).to.deep.equal(['door 0 2', 'door 0 3']);
    const second = await start({ receipts: first.receipts as Partial<ReceiptStore> as ReceiptStore });
    expect(await second.pushed({ id: ADA, n: 1 }, { id: CYD, n: 3 }, { id: ADA, n: 4 })).to.deep.equal([
      'repeated',
      'repeated',
      'counted',
    ]);
  });

  it('knows numbers that another server has taken meanwhile', async () => {
    const one = await start();
    const receipts = one.receipts as Partial<ReceiptStore> as ReceiptStore;
    const other = await start({ receipts });
    await one.push({ id: ADA, n: 1 });
    await other.push({ id: BOB, n: 2 });
    await other.push({ id: CYD, n: 3 });
    expect(await one.push({ id: BOB, n: 2 }, { id: CYD, n: 3 }, { id: ADA, n: 4 })).to.deep.include({
      n: 2,
      outcome: 'repeated',
    });
    expect(one.receipts.writes).to.deep.equal(['door 0 1', 'door 0 2', 'door 0 3', 'door 0 4']);
  });

  it('accepts a number once that is twice in one request', async () => {
    const { entries, pushed } = await start();
    expect(await pushed({ id: ADA, n: 1 }, { id: BOB, n: 1 })).to.deep.equal(['counted', 'repeated']);
    expect(await entries()).to.deep.equal([[ADA, NOW, 1]]);
  });

  it('accepts numbers of one request in any order, and in later requests only larger ones', async () => {
    const { push, entries, pushed } = await start();
    const both = await push({ id: ADA, n: 103 }, { id: BOB, n: 101 });
    expect(outcomes(both)).to.deep.equal(['counted', 'counted']);
    expect(await pushed({ id: CYD, n: 102 }, { id: BOB, n: 101 })).to.deep.equal(['repeated', 'repeated']);
    expect(await entries()).to.have.length(2);
  });

  it('accepts a number once that is sent again while its first request is under way', async () => {
    const { pushed, days } = await start();
    const release = hold(days);
    const sent = [1, 2].map(() => pushed({ id: ADA, n: 1 }));
    await new Promise(setImmediate);
    release();
    expect(await Promise.all(sent)).to.deep.equal([['counted'], ['repeated']]);
  });

  it('counts anew in another run', async () => {
    const { send, clock } = await start();
    await send('a', { id: ADA, n: 7 });
    clock.advance(60_000);
    expect(await send('b', { id: ADA, n: 7 })).to.deep.equal(['already-counted']);
  });

  it('treats a tag that rests on the reader as one tap', async () => {
    const { push, clock, pushed } = await start();
    await push({ id: ADA, n: 1 });
    clock.advance(1_000);
    expect(await pushed({ id: ADA, n: 2 })).to.deep.equal(['repeated']);
  });

  it('refuses invalid readings one by one, and accepts the others', async () => {
    const { push, source, receipts, entries } = await start();
    const faults = new Recorder(source.faults);
    const results = await push(
      { id: 'no id', n: 1 },
      { id: ADA, n: 2 },
      { n: 3 },
      { id: '0000000000', n: 4 },
      { id: BOB, n: 0 },
      { id: BOB, n: 2 ** 53 },
      { id: BOB, ageMs: -1 },
      null,
      { id: BOB, n: '6' },
    );
    expect(outcomes(results)).to.deep.equal([
      'refused',
      'counted',
      ...Array<string>(6).fill('refused'),
      'counted',
    ]);
    expect(codes(results)).to.deep.equal([
      'INVALID_TALLY_ID',
      undefined,
      'FRAME_INVALID',
      'BLANK_TALLY_ID',
      'FRAME_INVALID',
      'FRAME_INVALID',
      'INVALID_TIMESTAMP',
      'FRAME_INVALID',
      undefined,
    ]);
    expect(faults.values).to.have.length(7);
    expect((await entries()).map(([id]) => id)).to.deep.equal([ADA, BOB]);
    expect(receipts.writes).to.deep.equal(['door 0 6']);
  });

  it('refuses ids that stand for persons without a tag, unless somebody at a desk or a kiosk sends them', async () => {
    const reserved = 'FF5442AABBCCDDEEFF00';
    for (const options of [{}, { format: createIdFormat({ spelling: 'dec' }) }]) {
      const { push, source, entries } = await start(options);
      const [refused] = await push({ id: reserved });
      expect(refused?.outcome).to.equal('refused');
      const byHand = await source.push({
        run: '1',
        readings: [{ id: reserved, n: 1 }, reserved],
        isByHand: true,
      });
      expect(outcomes(byHand ?? [])).to.deep.equal(['counted', 'repeated']);
      expect((await entries()).map(([id]) => id)).to.deep.equal([reserved]);
    }
    const { push } = await start();
    expect(codes(await push({ id: reserved }))).to.deep.equal(['RESERVED_TALLY_ID']);
  });

  it('accepts a number of a refused reading when it comes again with a valid id', async () => {
    const { receipts, pushed } = await start();
    expect(await pushed({ id: 'no id', n: 1 }, { id: 'no id' })).to.deep.equal(['refused', 'refused']);
    expect(receipts.writes).to.deep.equal([]);
    expect(await pushed({ id: ADA, n: 1 })).to.deep.equal(['counted']);
    expect(receipts.writes).to.deep.equal(['door 0 1']);
  });

  it('accepts digits as a number, and no other text that JavaScript would convert', async () => {
    const { push, receipts } = await start();
    const results = await push(
      ...['0x10', '1e3', '2.0', ' 3', true, [4]].map((n) => ({ id: ADA, n })),
      ...['0x10', '', true, [4]].map((ageMs) => ({ id: BOB, ageMs })),
    );
    expect(outcomes(results)).to.deep.equal([
      ...Array<string>(7).fill('refused'),
      'counted',
      ...Array<string>(2).fill('refused'),
    ]);
    expect(receipts.writes).to.deep.equal([]);
  });

  it('accepts digits of any length as a number, and removes white space around an id, in any format', async () => {
    const { push, receipts, entries } = await start({ format: createIdFormat({ spelling: 'dec' }) });
    await push({ id: ' 6547886\n', n: '12' });
    expect(receipts.writes).to.deep.equal(['door 0 12']);
    expect(await entries()).to.have.length(1);
  });

  it('removes white space around an id of text', async () => {
    const { push, entries } = await start({ format: createIdFormat({ spelling: 'text' }) });
    await push({ id: 'A-17' }, { id: ' A-17\n', ageMs: 60_000 });
    expect((await entries()).map(([, , count]) => count)).to.deep.equal([2]);
  });

  it('remembers 64 runs of a device, and forgets the least recent one', async () => {
    const { send, clock } = await start({ receipts: undefined });
    const pushTo = (run: number): Promise<string[]> => {
      clock.advance(60_000);
      return send(String(run), { id: ADA, n: 1 });
    };
    for (let run = 1; run <= 64; run++) expect(await pushTo(run)).not.to.include('repeated');
    expect(await pushTo(1)).to.deep.equal(['repeated']);
    expect(await pushTo(65)).not.to.include('repeated');
    expect(await pushTo(1)).to.deep.equal(['repeated']);
    expect(await pushTo(2)).not.to.include('repeated');
  });

  describe('when the store cannot write', () => {
    it('answers that scans wait while there is room, and that others were not kept', async () => {
      const { days, receipts, pushed } = await start({ backlogLimit: 1 });
      days.failure = new Error('the disk is full');
      expect(await pushed({ id: ADA, n: 1 }, { id: BOB, n: 2 })).to.deep.equal(['waiting', 'not-kept']);
      expect(receipts.writes).to.deep.equal(['door 0 1']);
    });

    it('accepts only scans that were not kept when they come again', async () => {
      const { days, clock, entries, receipts, pushed } = await start({ backlogLimit: 0 });
      const record = days.record.bind(days);
      const fails = new Set([ADA]);
      days.record = (...scan) =>
        fails.has(scan[1]) ? Promise.reject(new Error('the disk is full')) : record(...scan);
      const sent = [
        { id: ADA, n: 1 },
        { id: BOB, n: 2 },
      ];
      expect(await pushed(...sent)).to.deep.equal(['not-kept', 'counted']);
      expect(receipts.writes).to.deep.equal([]);
      fails.clear();
      clock.advance(60_000);
      expect(await pushed(...sent)).to.deep.equal(['counted', 'repeated']);
      expect(receipts.writes).to.deep.equal(['door 0 2']);
      expect((await entries()).map(([id, , count]) => [id, count])).to.deep.equal([
        [BOB, 1],
        [ADA, 1],
      ]);
    });

    it('notes numbers only when their scans are kept', async () => {
      const { push, days, receipts } = await start();
      const release = hold(days);
      const sent = push({ id: ADA, n: 1 });
      await new Promise(setImmediate);
      expect(receipts.writes).to.deep.equal([]);
      release();
      await sent;
      expect(receipts.writes).to.deep.equal(['door 0 1']);
    });

    it('remembers numbers that it cannot note, and notes them the next time', async () => {
      const { push, receipts, clock, pushed } = await start();
      receipts.failure = new Error('the disk is full');
      expect(await pushed({ id: ADA, n: 1 })).to.deep.equal(['counted']);
      clock.advance(60_000);
      expect(await pushed({ id: ADA, n: 1 })).to.deep.equal(['repeated']);
      receipts.failure = undefined;
      await push({ id: ADA, n: 1 });
      expect(receipts.writes).to.deep.equal(['door 0 1']);
    });

    it('asks the device to repeat a scan with its own time if the number cannot be noted', async () => {
      const { receipts, entries, pushed } = await start({ trustsDevice: true });
      receipts.failure = new Error('the disk is full');
      expect(await pushed({ id: ADA, n: 1, at: NOW - 60 })).to.deep.equal(['not-kept']);
      expect(await pushed({ id: BOB, n: 2, at: NOW - 50 }, { id: CYD, n: 3 })).to.deep.equal([
        'counted',
        'counted',
      ]);
      receipts.failure = undefined;
      expect(await pushed({ id: ADA, n: 1, at: NOW - 60 })).to.deep.equal(['repeated']);
      expect(receipts.writes).to.deep.equal(['door 0 3']);
      receipts.failure = new Error('the disk is full');
      expect(await pushed({ id: CYD, n: 4, at: NOW - 40 })).to.deep.equal(['not-kept']);
      receipts.failure = undefined;
      expect((await entries())[0]).to.deep.equal([ADA, NOW - 60, 1]);
    });

    it('asks the device to repeat a scan with its own time if another server may have taken it', async () => {
      const { receipts, entries, pushed } = await start({ trustsDevice: true });
      const latest = receipts.latest.bind(receipts);
      receipts.latest = () => Promise.reject(new Error('the database is away'));
      expect(await pushed({ id: ADA, n: 1, at: NOW - 60 })).to.deep.equal(['not-kept']);
      expect(await pushed({ id: BOB, n: 2 })).to.deep.equal(['counted']);
      receipts.latest = latest;
      expect(await pushed({ id: ADA, n: 1, at: NOW - 60 })).to.deep.equal(['repeated']);
      expect(await pushed({ id: CYD, n: 3, at: NOW - 40 })).to.deep.equal(['counted']);
      expect((await entries())[0]).to.deep.equal([ADA, NOW - 60, 1]);
    });

    it('answers that a scan waits when the store does not answer', async () => {
      const { days, clock, pushed } = await start();
      days.isSilent = true;
      const sent = pushed({ id: ADA });
      await new Promise(setImmediate);
      clock.advance(15_000);
      expect(await sent).to.deep.equal(['waiting']);
      closings.splice(0);
    });
  });

  it('keeps no scan without a service, and none while it is closed', async () => {
    const { source, service, push, pushed } = await start();
    await service.close();
    expect(await pushed({ id: ADA, n: 1 })).to.deep.equal(['not-kept']);
    await source.close();
    expect(await push({ id: ADA, n: 1 })).to.deep.equal([{ n: 1, outcome: 'not-kept' }]);
  });

  it('does not begin a request while 16 others wait', async () => {
    const { source, days, clock } = await start();
    days.isSilent = true;
    const waiting = Array.from({ length: 16 }, () => source.push({ run: '0', readings: [{ id: ADA }] }));
    expect(await source.push({ run: '0', readings: [{ id: ADA }] })).to.equal(undefined);
    await new Promise(setImmediate);
    clock.advance(15_000);
    await Promise.all(waiting);
    expect(await source.push({ run: '0', readings: [] })).to.deep.equal([]);
    closings.splice(0);
  });

  describe('with a time in the past', () => {
    it('uses the age of a scan in milliseconds for its time', async () => {
      const { entries, pushed } = await start();
      expect(await pushed({ id: ADA, ageMs: 86_400_000 }, { id: ADA })).to.deep.equal(['counted', 'counted']);
      expect(await entries(TODAY - 1)).to.deep.equal([[ADA, NOW - 86_400, 1]]);
      expect(await entries()).to.deep.equal([[ADA, NOW, 1]]);
    });

    it('treats late taps of a tag as one within the repeat window, and otherwise as several', async () => {
      const { push } = await start();
      const results = await push(
        { id: ADA, ageMs: 60_000 },
        { id: ADA, ageMs: 59_000 },
        { id: ADA, ageMs: 30_000 },
      );
      expect(outcomes(results)).to.deep.equal(['counted', 'repeated', 'already-counted']);
    });

    it('accepts a late tap after a present one', async () => {
      const { push, entries, pushed } = await start();
      await push({ id: ADA });
      expect(await pushed({ id: ADA, ageMs: 600_000 })).to.deep.equal(['already-counted']);
      expect(await entries()).to.deep.equal([[ADA, NOW - 600, 2]]);
    });

    it('ignores the time of the device unless it is trusted', async () => {
      const { push, entries } = await start();
      await push({ id: ADA, at: NOW - 3_600 });
      expect(await entries()).to.deep.equal([[ADA, NOW, 1]]);
    });

    it('uses the time of the device if that is trusted, in seconds or milliseconds', async () => {
      const { push, entries } = await start({ trustsDevice: true });
      await push({ id: ADA, at: NOW - 86_400 }, { id: BOB, at: (NOW - 3_600) * 1000 + 999 }, { id: CYD });
      expect(await entries(TODAY - 1)).to.deep.equal([[ADA, NOW - 86_400, 1]]);
      expect(await entries()).to.deep.equal([
        [BOB, NOW - 3_600, 1],
        [CYD, NOW, 1],
      ]);
    });

    it('gives also the monotonic time of a tap, if its age is known', async () => {
      for (const [began, sinceMs] of [
        [NOW, 90_000],
        [62, 0],
      ] as const) {
        const clock = new ManualClock(began);
        const source = new HttpIdSource({ name: 'door', trustsDevice: true }, clock);
        const readings = new Recorder(source.readings);
        await source.open();
        clock.advance(100_000);
        await source.push({ run: '0', readings: [{ id: ADA, at: NOW + 10 }] });
        expect(readings.values.map(({ monotonicMs }) => monotonicMs)).to.deep.equal([
          clock.monotonicMs() - sinceMs,
        ]);
        await source.close();
      }
    });

    it('does not trust a clock of the service before 2020, without another timekeeper', async () => {
      const source = new HttpIdSource({ name: 'door', trustsDevice: true }, new ManualClock(62));
      const readings = new Recorder(source.readings);
      await source.open();
      await source.push({ run: '0', readings: [{ id: ADA, at: NOW }] });
      expect(readings.values.map(({ at }) => at)).to.deep.equal([NOW]);
      await source.close();
    });

    it('refuses a time of the device before 2020, or more than a minute ahead', async () => {
      const { push } = await start({ trustsDevice: true });
      const results = await push(
        { id: ADA, at: 1_577_836_799 },
        { id: ADA, at: NOW + 61 },
        { id: ADA, at: 'noon' },
        { id: ADA, at: 10 ** 15 },
        { id: ADA, at: 1_577_836_800 },
      );
      expect(outcomes(results)).to.deep.equal([...Array<string>(4).fill('refused'), 'counted']);
      expect(new Set(codes(results.slice(0, 4)))).to.deep.equal(new Set(['INVALID_TIMESTAMP']));
    });

    it('refuses an invalid time, and an age of more than a year, with every trust', async () => {
      const { push } = await start();
      const results = await push(
        ...['noon', -1, 1.5, 10 ** 14 + 1].map((at) => ({ id: ADA, at })),
        { id: ADA, ageMs: 31_622_400_001 },
        { id: ADA, at: 10 ** 14, ageMs: 31_622_400_000 },
      );
      expect(outcomes(results)).to.deep.equal([...Array<string>(5).fill('refused'), 'counted']);
      expect(new Set(codes(results.slice(0, 5)))).to.deep.equal(new Set(['INVALID_TIMESTAMP']));
    });

    it('treats a time of the device that is a little ahead as now, so that nothing is recorded in the future', async () => {
      const { push, entries } = await start({ trustsDevice: true });
      await push({ id: ADA, at: NOW + 60 });
      expect(await entries()).to.deep.equal([[ADA, NOW, 1]]);
    });

    it('uses the trusted time of the device while the clock of the service is wrong', async () => {
      const { push, entries, service } = await start({ trustsDevice: true, clock: new ManualClock(62) });
      const results = await push({ id: ADA, at: NOW }, { id: BOB });
      expect(outcomes(results)).to.deep.equal(['counted', 'provisional']);
      expect(await entries()).to.deep.equal([[ADA, NOW, 1]]);
      expect((await service.listProvisional()).map(({ id }) => id)).to.deep.equal([BOB]);
    });

    it('finds the time of a scan from before the clock was set, for every age', async () => {
      const clock = new ManualClock(62);
      clock.setSynchronised(false);
      const { entries, pushed } = await start({ clock });
      expect(await pushed({ id: ADA, ageMs: 3_600_000 })).to.deep.equal(['provisional']);
      clock.set(NOW);
      clock.setSynchronised(true);
      clock.advance(1_000);
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
      expect(await entries()).to.deep.equal([[ADA, NOW - 3_600, 1]]);
    });
  });

  describe('its connection', () => {
    it('counts as connected, because a pushing device is silent while nobody taps', async () => {
      const { source } = await start();
      expect(source.connection).to.equal('connected');
    });

    it('sets no timer for a device without a set silence', async () => {
      const clock = new ManualClock(NOW);
      const appointments = watchAppointments(clock);
      const source = new HttpIdSource({ name: 'door' }, clock);
      await source.open();
      await source.push({ run: '0', readings: [{ id: ADA }] });
      expect(appointments.asked).to.deep.equal([]);
      await source.close();
    });

    it('counts as missing until the device is heard, and after the set time of silence', async () => {
      const { source, clock, push } = await start({ silenceMs: 60_000 });
      const codes = new Recorder(source.faults);
      expect(source.connection).to.equal('waiting');
      expect(await push()).to.deep.equal([]);
      expect(source.connection).to.equal('connected');
      clock.advance(59_999);
      await push({ id: 'no id' });
      clock.advance(59_999);
      await new Promise(setImmediate);
      expect(source.connection).to.equal('connected');
      clock.advance(1);
      await new Promise(setImmediate);
      expect(source.connection).to.equal('waiting');
      expect(codes.values.map(({ error }) => error.code)).to.deep.equal([
        'INVALID_TALLY_ID',
        'READER_DISCONNECTED',
      ]);
      await push();
      expect(source.connection).to.equal('connected');
    });

    it('counts as heard, with a fault, after an unreadable request', async () => {
      const { source, clock } = await start({ silenceMs: 60_000 });
      const faults = new Recorder(source.faults);
      const error = new TallybookError('FRAME_INVALID', 'there is no field "rssi" here');
      source.noteUnreadable(error);
      expect(source.connection).to.equal('connected');
      clock.advance(59_999);
      source.noteUnreadable(error);
      clock.advance(59_999);
      expect(source.connection).to.equal('connected');
      expect(faults.values.map((each) => each.error)).to.deep.equal([error, error]);
      await source.close();
      source.noteUnreadable(error);
      expect(source.connection).to.equal('waiting');
      expect(faults.values).to.have.length(2);
    });
  });

  it('reports no silence from before it was closed and opened again', async () => {
    const { source, clock, push } = await start({ silenceMs: 60_000 });
    const faults = new Recorder(source.faults);
    await push();
    await source.close();
    expect(source.connection).to.equal('waiting');
    clock.advance(60_000);
    await source.open();
    clock.advance(59_999);
    expect(faults.values).to.deep.equal([]);
  });

  it('is made from its URL', async () => {
    const clock = new ManualClock(NOW);
    const source = createReader('http:Gate_2.left-1?format=dec10&silence=5m&time=device', { clock });
    expect(source).to.include({ name: 'Gate_2.left-1', kind: 'http' });
    await source.open();
    expect(source.connection).to.equal('waiting');
    const readings = new Recorder(source.readings);
    await (source as HttpIdSource).push({ run: '0', readings: [{ id: '0006547886', at: NOW - 3_600 }] });
    expect(readings.values.map(({ at, hasOwnTime }) => [at, hasOwnTime])).to.deep.equal([
      [NOW - 3_600, true],
    ]);
    await source.close();
  });

  it('may be silent for a day, and may deliver text', () => {
    expect(createReader('http:door?silence=1d&format=text', { clock: contractClock }).kind).to.equal('http');
  });

  it('names the wrong parameter', () => {
    expect(() => new HttpIdSource({ name: 'door', silenceMs: 999 }, contractClock))
      .to.throw(/silence/)
      .with.deep.property('details', { parameter: 'silence' });
  });

  itRefusesUrls([
    ['http:', 'path', 'is named by its path, such as http:door'],
    ['http:?name=door', 'path', 'is named by its path, such as http:door'],
    ['http:door?name=gate', 'name', 'the parameter "name" is unknown'],
    ['http:front%20door', 'path', 'is named by its path'],
    ['http:a/b', 'path', 'is named by its path'],
    ['http://door', 'path', 'is named by its path'],
    [`http:${'a'.repeat(65)}`, 'path', 'is named by its path'],
    ['http:door?silence=999ms', 'silence', 'silence is 1s to 1d; got'],
    ['http:door?silence=25h', 'silence', 'silence is 1s to 1d; got'],
    ['http:door?time=ours', 'time', 'time is one of service, device'],
  ]);

  it('cannot be tried without a service, because no readings would be pushed', () => {
    expect(() => createReader('http:door', { clock: contractClock, isTrial: true }))
      .to.throw('nothing to try')
      .with.property('code', 'INVALID_OPTION');
  });
});
