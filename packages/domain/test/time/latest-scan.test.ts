import {
  AttendanceService,
  Calendar,
  parseTallyId,
  Timekeeper,
  toDay,
  toTimestamp,
  type Day,
} from '@tallybook/domain';
import {
  ManualClock,
  MemoryDayStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
  noChanges,
  noProvisionalScans,
} from '@tallybook/testing';
import { expect } from 'chai';
import { findCredibleDay } from '../../src/time/latest-scan.js';
import { unplacedScan } from '../fixtures/unplaced-scan.js';

const DAY = 86_400;
const TODAY = 20_413;
const id = parseTallyId('04A2B3C4D5');

function range(first: number, count: number, step = 1): Day[] {
  return Array.from({ length: count }, (_, n) => toDay(first + n * step));
}

describe('findCredibleDay', () => {
  const built = toDay(TODAY);
  const cases: [
    what: string,
    days: readonly Day[],
    builtDay: Day | undefined,
    expected: number | undefined,
  ][] = [
    ['is the last one of an ordinary record', range(TODAY, 10), built, TODAY + 9],
    ['is none if there is none', [], built, undefined],
    ['may be a year after the build', range(TODAY + 366, 1), built, TODAY + 366],
    ['is not a single one more than a year after the build', range(TODAY + 367, 1), built, undefined],
    ['may be a year after the one before', [...range(TODAY, 1), toDay(TODAY + 366)], undefined, TODAY + 366],
    [
      'is not one more than a year after the one before',
      [...range(TODAY, 1), toDay(TODAY + 367)],
      undefined,
      TODAY,
    ],
    [
      'is not one of seven such days',
      [...range(TODAY, 30), ...range(TODAY + 18_000, 7, 300)],
      built,
      TODAY + 29,
    ],
    [
      'is the last one of eight such days',
      [...range(TODAY, 30), ...range(TODAY + 18_000, 8)],
      built,
      TODAY + 18_007,
    ],
    [
      'is before several such days',
      [...range(TODAY, 2), toDay(TODAY + 9_000), toDay(TODAY + 18_000)],
      built,
      TODAY + 1,
    ],
    ['is the only one if nothing else is known', range(TODAY + 18_000, 1), undefined, TODAY + 18_000],
    ['may be older than the build', range(TODAY - 5_000, 1), built, TODAY - 5_000],
    ['is counted from the build if that is later', [toDay(5), toDay(TODAY + 300)], built, TODAY + 300],
  ];
  for (const [what, days, builtDay, expected] of cases) {
    it(what, () => expect(findCredibleDay(days, builtDay)).to.equal(expected));
  }
});

describe('the record, when the service starts', () => {
  async function start(days: readonly number[]): Promise<{
    keeper: Timekeeper;
    attendance: AttendanceService;
    close: () => Promise<void>;
  }> {
    const clock = new ManualClock(TODAY * DAY + 500);
    clock.setSynchronised(undefined);
    const keeper = new Timekeeper(clock, { builtAt: (TODAY - 100) * DAY });
    const [store, mapping] = [new MemoryDayStore(), new MemoryMappingStore()];
    await store.open();
    await mapping.open();
    for (const day of days) await store.record(toDay(day), id, toTimestamp(day * DAY + 7));
    const calendar = new Calendar();
    const attendance = new AttendanceService({ days: store, mapping, calendar, timekeeper: keeper });
    await attendance.open();
    const close = async (): Promise<void> => {
      await attendance.close();
      await Promise.all([store.close(), mapping.close()]);
    };
    return { keeper, attendance, close };
  }

  it('does not make a right clock doubtful because of a scan 49 years ahead', async () => {
    const far = TODAY + 17_897;
    const { keeper, close } = await start([TODAY - 1, far]);
    expect(keeper.trust()).to.deep.equal({ isTrusted: true, basis: 'assumed' });
    expect(keeper.latestScan).to.equal((TODAY - 1) * DAY + 7);
    expect(keeper.suspectScan).to.equal(far * DAY + 7);
    await close();
  });

  it('makes it doubtful because of a scan some days ahead, until that day is removed', async () => {
    const { keeper, attendance, close } = await start([TODAY - 1, TODAY + 3]);
    expect(keeper.trust()).to.deep.equal({ isTrusted: false, doubt: 'before-last-scan' });
    expect(await attendance.removeDay(toDay(TODAY + 3))).to.equal(true);
    expect(keeper.trust()).to.deep.equal({ isTrusted: true, basis: 'assumed' });
    expect(keeper.latestScan).to.equal((TODAY - 1) * DAY + 7);
    expect(await attendance.removeDay(toDay(TODAY + 3))).to.equal(false);
    await close();
  });

  it('has no suspect day any more when that day is removed', async () => {
    const far = TODAY + 17_897;
    const { keeper, attendance, close } = await start([far]);
    expect(keeper.suspectScan).to.equal(far * DAY + 7);
    await attendance.removeDay(toDay(far));
    expect([keeper.suspectScan, keeper.latestScan]).to.deep.equal([undefined, 0]);
    await close();
  });
});

describe('a record with scans of other clocks', () => {
  const NOW = TODAY * DAY + 36_000;
  const RELEASE = (TODAY - 100) * DAY;

  /** A service on stores that outlive it. */
  function device(): {
    days: MemoryDayStore;
    provisional: MemoryProvisionalStore;
    journal: MemoryJournal;
    start: (clockAt?: number) => Promise<{
      keeper: Timekeeper;
      attendance: AttendanceService;
      clock: ManualClock;
      tap: () => Promise<void>;
    }>;
  } {
    const journal = new MemoryJournal(noChanges());
    const days = new MemoryDayStore(new Map(), journal);
    const provisional = new MemoryProvisionalStore(noProvisionalScans(), journal);
    const mapping = new MemoryMappingStore();
    return {
      ...{ days, provisional, journal },
      start: async (clockAt = NOW) => {
        for (const store of [journal, days, provisional, mapping]) await store.open();
        const clock = new ManualClock(clockAt);
        clock.setSynchronised(undefined);
        const keeper = new Timekeeper(clock, { builtAt: RELEASE });
        const attendance = new AttendanceService(
          {
            ...{ days, provisional, mapping, timekeeper: keeper, tapTimes: journal },
            calendar: new Calendar(),
          },
          { repeatWindowMs: 0 },
        );
        await attendance.open();
        const tap = (): Promise<void> =>
          attendance.take({ id, reader: 'door', at: clock.now(), monotonicMs: clock.monotonicMs() });
        return { keeper, attendance, clock, tap };
      },
    };
  }

  it('does not make the clock doubtful, however many lie in the future', async () => {
    const { days, start } = device();
    const first = await start();
    await first.tap();
    for (let ahead = 0; ahead < 900; ahead++) {
      await days.record(toDay(TODAY + ahead), id, toTimestamp(NOW + ahead * DAY));
    }
    const far = toTimestamp(NOW + 1_000 * DAY);
    await days.merge(toDay(TODAY + 1_000), [{ id, first: far, last: far, count: 1 }]);
    await first.attendance.close();
    const { keeper, attendance, tap } = await start(NOW + 60);
    expect(keeper.trust()).to.deep.equal({ isTrusted: true, basis: 'assumed' });
    expect(keeper.notBefore).to.be.within(NOW - 59, NOW);
    await tap();
    expect(await attendance.listProvisional()).to.deep.equal([]);
    expect(keeper.notBefore).to.equal(NOW + 60);
    await attendance.close();
  });

  it('keeps its bound when a device sends an old tap', async () => {
    const { start } = device();
    const { keeper, attendance, tap } = await start();
    await tap();
    await attendance.take({
      id,
      reader: 'door',
      at: toTimestamp(NOW - 9 * DAY),
      monotonicMs: 0,
      hasOwnTime: true,
    });
    await attendance.removeDay(toDay(TODAY - 9));
    expect(keeper.notBefore).to.be.within(NOW - 59, NOW);
    await attendance.close();
  });

  it('gives no bound but the release if this service never recorded a tap', async () => {
    const { days, start } = device();
    const { attendance } = await start();
    await days.record(toDay(TODAY + 9), id, toTimestamp(NOW + 9 * DAY));
    await attendance.close();
    const again = await start();
    expect([again.keeper.notBefore, again.keeper.latestScan]).to.deep.equal([RELEASE, 0]);
    await again.attendance.close();
  });

  it('keeps the doubt in a clock that is behind a tap of this service, which it noted with the tap', async () => {
    const { journal, start } = device();
    const first = await start();
    const advance = journal.advance.bind(journal);
    const order: string[] = [];
    journal.advance = (consumer, cursor) => {
      order.push(`${consumer} ${cursor}`);
      return advance(consumer, cursor);
    };
    await first.tap();
    expect(order).to.deep.equal([`clock ${NOW / 60}`]);
    await first.attendance.close();
    const { keeper, attendance } = await start(NOW - 3_600);
    expect(keeper.trust()).to.deep.equal({ isTrusted: false, doubt: 'before-last-scan' });
    await attendance.removeDay(toDay(TODAY));
    expect(keeper.trust()).to.deep.equal({ isTrusted: true, basis: 'assumed' });
    await attendance.close();
  });

  it('gives no bound by a restored scan that waits to be recorded in the future', async () => {
    const { days, provisional, start } = device();
    await days.open();
    await provisional.open();
    const far = toTimestamp(NOW + 400 * DAY);
    const sequence = await provisional.add(unplacedScan(id, far));
    await provisional.place(sequence, { day: toDay(TODAY + 400), at: far, isRecorded: false });
    const { keeper, attendance } = await start();
    await attendance.close();
    expect(await days.load(toDay(TODAY + 400))).to.have.nested.property('entries.length', 1);
    expect(keeper.notBefore).to.equal(RELEASE);
  });
});
