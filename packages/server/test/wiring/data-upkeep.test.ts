import { Calendar, parseTallyId, TallybookError, Timekeeper, toDay, toTimestamp } from '@tallybook/domain';
import { parseKeep, RetentionService, type ErasureService } from '@tallybook/domain/personal';
import { ManualClock, MemoryDayStore } from '@tallybook/testing';
import { expect } from 'chai';
import { DataUpkeep } from '../../src/wiring/data-upkeep.js';
import { recordedLog } from '../fixtures/logged.js';

const DAY_MS = 86_400_000;
const NOW = 1_763_700_000;
const [INFO, WARN, ERROR] = [30, 40, 50];

/** Thirteen days up to today, ten of which are kept. */
async function start({
  keep = '10days',
  backups = [],
}: { readonly keep?: string | false; readonly backups?: readonly string[] } = {}) {
  const clock = new ManualClock(NOW);
  const days = new MemoryDayStore();
  await days.open();
  const id = parseTallyId('04A2B3C4D5');
  for (let n = 0; n < 13; n++) await days.record(toDay(20_413 - n), id, toTimestamp(NOW - n * 86_400));
  const erasures = { tidied: 0, tidy: () => Promise.resolve(Boolean(++erasures.tidied)) };
  const actors: string[] = [];
  const left = [...backups];
  const retention = new RetentionService(
    {
      ...{ days, attendance: { removeDay: days.remove.bind(days) }, calendar: new Calendar() },
      timekeeper: new Timekeeper(clock),
      audit: { note: async (actor) => void actors.push(actor) },
      backups: {
        madeBefore: () => Promise.resolve([...left]),
        remove: async () => void left.splice(0),
      },
    },
    keep === false ? undefined : parseKeep(keep),
  );
  const { log, lines } = recordedLog();
  const parts = { erasures: erasures as unknown as ErasureService, retention, clock, log };
  const upkeep = new DataUpkeep(parts);
  await upkeep.open();
  const told = (): readonly unknown[] =>
    lines.values.map(({ level, msg, code, err }) => [
      ...[level, code ?? (err as { readonly code?: string } | undefined)?.code, msg],
    ]);
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  return { pass, clock, days, upkeep, retention, lines, erasures, actors, told };
}

const count = async (days: MemoryDayStore): Promise<number> =>
  (await days.list(toDay(0), toDay(30_000))).length;

describe('DataUpkeep', () => {
  it('removes days soon after the start, and soon after each day begins, as announced by a dry run', async () => {
    const { pass, days, upkeep, erasures, retention } = await start();
    const due = async (): Promise<number> => (await retention.plan()).days.length;
    const first = new Calendar().dayOf(toTimestamp(NOW));
    const untilMidnightMs = ((first + 1) * 86_400 - NOW) * 1_000;
    await pass(4_999);
    expect(erasures.tidied).to.equal(0);
    await pass(1);
    expect(await count(days)).to.equal(11);
    await pass(600_000);
    expect(erasures.tidied).to.equal(2);
    expect(await due()).to.equal(0);
    // The last check before midnight, UTC, which begins the day here.
    await pass(untilMidnightMs - 605_000 - 1);
    expect([await count(days), await due()]).to.deep.equal([11, 0]);
    await pass(1);
    expect(await due()).to.equal(1);
    await pass(600_000);
    expect([await count(days), await due()]).to.deep.equal([10, 0]);
    // There is no second removal on the same day, even with new data.
    await days.record(toDay(first - 20), parseTallyId('04A2B3C4D5'), toTimestamp(NOW - 20 * 86_400));
    for (let n = 0; n < 10; n++) await pass(600_000);
    expect(await count(days)).to.equal(11);
    await pass(DAY_MS);
    expect(await due()).to.equal(0);
    await upkeep.close();
  });

  it('logs removed data, also if it is only backups, and nothing if nothing was old', async () => {
    for (const [keep, backups, said] of [
      ['10days', [], { days: 2, backups: [] }],
      ['20days', ['a.jsonl'], { days: 0, backups: ['a.jsonl'] }],
      ['20days', [], undefined],
    ] as const) {
      const { pass, upkeep, lines, actors } = await start({ keep, backups });
      await pass(5_000);
      await upkeep.close();
      const [line, ...others] = lines.values;
      expect(others).to.deep.equal([]);
      expect(actors).to.deep.equal(said === undefined ? [] : ['the service']);
      if (said === undefined) expect(line).to.equal(undefined);
      else expect(line).to.deep.include({ level: INFO, ...said });
    }
  });

  it('removes nothing if all days are kept, but finishes erasures', async () => {
    const { pass, days, upkeep, erasures, told } = await start({ keep: false });
    await pass(5_000);
    expect([await count(days), erasures.tidied, told()]).to.deep.equal([13, 1, []]);
    await upkeep.close();
  });

  it('erases guests once a day, though days are kept, logs their number, and tries again after a failure', async () => {
    const { pass, upkeep, retention, told, lines } = await start({ keep: false });
    const results = [2, 1, 0];
    let asked = 0;
    retention.guestLimit = () => ({ firstKept: toDay(20_383), isPast: () => false });
    retention.eraseGuests = () =>
      asked++ === 0
        ? Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'full'))
        : Promise.resolve(results.shift() ?? 0);
    for (const ms of [5_000, 600_000, 600_000, DAY_MS, DAY_MS]) await pass(ms);
    expect(asked).to.equal(4);
    expect(told()).to.deep.equal([
      ...[
        [
          ...[WARN, 'STORE_WRITE_FAILED'],
          'guests older than --keep-guests were not erased; see tallybook retention --dry-run',
        ],
      ],
      [INFO, undefined, 'erased guests older than --keep-guests'],
      [INFO, undefined, 'erased guests older than --keep-guests'],
    ]);
    expect(lines.values[1]).to.deep.include({ guests: 2 });
    await upkeep.close();
  });

  it('logs an unfinished erasure, tries again, and removes days meanwhile', async () => {
    const { pass, days, upkeep, erasures, told } = await start();
    const { tidy } = erasures;
    erasures.tidy = () => Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'the disk is full'));
    await pass(5_000);
    expect(told()[0]).to.deep.equal([
      ...[ERROR, 'STORE_WRITE_FAILED', 'an erasure could not be finished and will be tried again'],
    ]);
    expect(await count(days)).to.equal(11);
    erasures.tidy = tidy;
    await pass(600_000);
    expect(erasures.tidied).to.equal(1);
    await upkeep.close();
  });

  it('waits for a trusted clock, logs that once, and then removes days', async () => {
    const { pass, clock, days, upkeep, told } = await start();
    clock.setSynchronised(false);
    await pass(5_000);
    await pass(600_000);
    expect(await count(days)).to.equal(13);
    expect(told().map((line) => (line as unknown[]).slice(0, 2))).to.deep.equal([
      [INFO, 'CLOCK_NOT_TRUSTED'],
    ]);
    clock.setSynchronised(true);
    await pass(600_000);
    expect(await count(days)).to.equal(11);
    await upkeep.close();
  });

  it('logs a doubtful time once, and removes nothing', async () => {
    const { pass, clock, days, upkeep, told } = await start();
    clock.set(NOW + 400 * 86_400);
    await pass(5_000);
    for (let n = 0; n < 3; n++) await pass(600_000);
    expect(await count(days)).to.equal(13);
    const doubted = [
      ...[WARN, 'RETENTION_NOT_CONFIRMED'],
      'days older than --keep were not removed; see tallybook retention --dry-run',
    ];
    expect(told()).to.deep.equal([doubted]);
    await upkeep.close();
    // After a restart an operator reads the log from there on.
    await upkeep.open();
    await pass(5_000);
    expect(told()).to.deep.equal([doubted, doubted]);
    await upkeep.close();
  });

  it('logs each failure of the store, because the reason may differ', async () => {
    const { pass, days, upkeep, told } = await start();
    days.list = () => Promise.reject(new TallybookError('STORE_READ_FAILED', 'no disk'));
    await pass(5_000);
    await pass(600_000);
    expect(told().map((line) => (line as unknown[]).slice(0, 2))).to.deep.equal([
      [WARN, 'STORE_READ_FAILED'],
      [WARN, 'STORE_READ_FAILED'],
    ]);
    await upkeep.close();
  });
});
