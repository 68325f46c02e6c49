import {
  AttendanceService,
  Calendar,
  parseTallyId,
  Timekeeper,
  toDay,
  toTimestamp,
  type Day,
} from '@tallybook/domain';
import { ManualClock, MemoryDayStore, MemoryMappingStore } from '@tallybook/testing';
import { expect } from 'chai';
import { findCredibleDay } from '../../src/time/latest-scan.js';

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
