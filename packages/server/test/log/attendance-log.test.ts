import { expect } from 'chai';
import {
  AttendanceService,
  Calendar,
  Emitter,
  parseName,
  parseTallyId,
  TallybookError,
  Timekeeper,
  toDay,
  toTimestamp,
  type AttendanceEvent,
  type RecordOutcome,
} from '@tallybook/domain';
import {
  ManualClock,
  MemoryDayStore,
  MemoryMappingStore,
  MemoryProvisionalStore,
  ScriptedIdSource,
} from '@tallybook/testing';
import { AttendanceLog } from '../../src/log/attendance-log.js';
import { recordedLog, type LogLine } from '../fixtures/logged.js';

class FailingDayStore extends MemoryDayStore {
  /** Error of the next writes; `undefined`: they succeed. */
  failure: TallybookError | undefined = new TallybookError('STORE_WRITE_FAILED', 'no space left on device');

  /** If set, each write waits for it. */
  gate: Promise<void> | undefined;

  override async record(...scan: Parameters<MemoryDayStore['record']>): Promise<RecordOutcome> {
    const { failure, gate } = this;
    await gate;
    if (failure !== undefined) throw failure;
    return super.record(...scan);
  }
}

describe('AttendanceLog', () => {
  async function start({ level = 'info', days = new MemoryDayStore(), backlogLimit = 10_000 } = {}) {
    const { log, lines } = recordedLog(level);
    const clock = new ManualClock();
    const mapping = new MemoryMappingStore();
    const source = new ScriptedIdSource(clock, 'door');
    const provisional = new MemoryProvisionalStore();
    const attendance = new AttendanceService(
      { days, mapping, provisional, calendar: new Calendar(), timekeeper: new Timekeeper(clock) },
      { backlogLimit },
    );
    const attendanceLog = new AttendanceLog(log, attendance, [source], clock);
    for (const resource of [mapping, days, provisional, attendanceLog, attendance]) await resource.open();
    attendance.listen(source);
    /** Taps tags, and waits until each is recorded or failed. */
    const tap = async (...ids: readonly string[]): Promise<void> => {
      await source.open();
      for (const id of ids) source.present(id);
      await attendance.settled();
    };
    return { lines: lines.values, log, clock, mapping, days, source, attendance, attendanceLog, tap };
  }

  it('logs a recorded scan without id and name', async () => {
    const { lines, mapping, tap } = await start();
    await mapping.put(parseTallyId('04A2B3C4D5'), parseName({ first: 'Ada', last: 'Lovelace' }));
    await tap('04A2B3C4D5');
    const line = lines.find(({ msg }) => msg === 'scan recorded');
    expect(line).to.include({ reader: 'door', day: 20_413, outcome: 'counted', isNamed: true });
    expect(JSON.stringify(lines)).to.not.match(/04A2B3C4D5|Ada|Lovelace/);
  });

  it('logs at the start what the operator should know of the settings of a reader', async () => {
    const { lines, log, attendance, clock } = await start();
    const source = Object.assign(new ScriptedIdSource(clock, 'gate'), {
      caution: 'its frames have no parity',
    });
    await new AttendanceLog(log, attendance, [source], clock).open();
    const warnings = lines.filter(({ level }) => level === 40);
    expect(warnings.map(({ reader, msg }) => [reader, msg])).to.deep.equal([
      ['gate', 'its frames have no parity'],
    ]);
  });

  it('logs the id only at the level debug, and repeated readings only at trace', async () => {
    const { lines, tap } = await start({ level: 'trace' });
    await tap('04A2B3C4D5', '04A2B3C4D5');
    const levels = lines.filter(({ id }) => id === '04A2B3C4D5').map(({ level }) => level);
    expect(levels.sort()).to.deep.equal([10, 20]);
  });

  it('logs a failed scan with id and reason', async () => {
    const { lines, tap } = await start({ days: new FailingDayStore() });
    await tap('04A2B3C4D5');
    const line = lines.find(({ id }) => id !== undefined);
    expect(line?.['level']).to.equal(50);
    expect(line).to.include({ id: '04A2B3C4D5', reader: 'door' });
    expect(line?.['err']).to.include({ code: 'STORE_WRITE_FAILED', message: 'no space left on device' });
  });

  it('logs a failed scan without a reason if there is none', async () => {
    const { lines, log, clock, source, attendance } = await start();
    const id = parseTallyId('04A2B3C4D5');
    const scan = { id, day: toDay(20_413), at: toTimestamp(1_763_700_000), reader: 'door' };
    const events = new Emitter<AttendanceEvent>();
    const { backlog } = attendance;
    const refusing = { events, backlog } as unknown as AttendanceService;
    await new AttendanceLog(log, refusing, [source], clock).open();
    events.emit({ kind: 'failed', scan, error: undefined, isKept: false });
    expect(lines.at(-1)).to.include({ id: scan.id, level: 50 });
    expect(lines.at(-1)).to.have.keys('level', 'time', 'msg', ...Object.keys(scan));
    for (let n = 0; n < 9; n++) {
      const other = { ...scan, id: parseTallyId(`04A2B3C4E${n}`) };
      events.emit({ kind: 'failed', scan: other, error: undefined, isKept: false });
      expect(lines.find(({ id }) => id === other.id)).to.not.have.property('reason');
    }
  });

  it('logs every failed id, and after five in a minute a short reason', async () => {
    const { lines, tap } = await start({ days: new FailingDayStore() });
    const ids = Array.from({ length: 8 }, (_, n) => `00000${n + 1}`);
    await tap(...ids);
    const scans = lines.filter(({ id }) => id !== undefined);
    expect(scans.map(({ id }) => id)).to.deep.equal(ids);
    expect(scans.map(({ err }) => err !== undefined)).to.deep.equal(ids.map((_, n) => n < 5));
    expect(scans[5]).to.include({ reason: 'TallybookError: no space left on device' });
  });

  it('logs the loss of a reader and its return, once each', async () => {
    const { lines, source } = await start();
    await source.open();
    source.unplug();
    source.plug();
    expect(lines.map(({ level, reader, msg, code }) => [level, reader, code ?? msg])).to.deep.equal([
      [30, 'door', 'reader connected'],
      [40, 'door', 'READER_DISCONNECTED'],
      [30, 'door', 'reader connected'],
    ]);
  });

  it('logs five faults of a kind in a minute and counts the others', async () => {
    const { lines, clock, source } = await start();
    await source.open();
    for (let n = 0; n < 100; n++) source.present('noise');
    const faults = () => lines.filter(({ code }) => code === 'INVALID_TALLY_ID');
    expect(faults()).to.have.length(6);
    expect(faults().at(-1)?.msg).to.equal('repeats are suppressed for the rest of this minute');
    clock.advance(60_000);
    source.present('noise');
    expect(faults()).to.have.length(8);
    expect(faults()[6]).to.include({ count: 95, msg: 'repeats suppressed: 95' });
  });

  it('logs 120 taps in a minute and counts the others', async () => {
    const { lines, clock, source } = await start();
    await source.open();
    const tap = async (n: number): Promise<void> => {
      source.present(`04${String(n).padStart(8, '0')}`);
      await new Promise(setImmediate);
    };
    for (let n = 0; n < 200; n++) await tap(n);
    const taps = () => lines.filter(({ outcome }) => outcome === 'counted');
    expect(taps()).to.have.length(121);
    expect(taps().at(-1)?.msg).to.equal('repeats are suppressed for the rest of this minute');
    clock.advance(60_000);
    await tap(200);
    expect(taps()[121]).to.include({ count: 80, msg: 'repeats suppressed: 80' });
    expect(taps()).to.have.length(123);
  });

  it('counts faults of another kind separately', async () => {
    const { lines, source } = await start();
    await source.open();
    for (let n = 0; n < 6; n++) source.present('noise');
    source.unplug();
    expect(lines.at(-1)).to.include({ reader: 'door', code: 'READER_DISCONNECTED' });
  });

  it('logs an unreadable name without id and name, and that the scan is recorded', async () => {
    const { lines, mapping, tap } = await start();
    await mapping.close();
    await tap('04A2B3C4D5');
    expect(lines.slice(1).map(({ level, msg }) => [level, msg])).to.deep.equal([
      [40, 'could not read the name of a tag'],
      [30, 'scan recorded'],
    ]);
    expect(lines[1]?.['err']).to.include({ code: 'NOT_OPEN' });
    expect(JSON.stringify(lines)).to.not.include('04A2B3C4D5');
  });

  it('logs that provisional scans could not be read', async () => {
    const { lines, days, attendance } = await start();
    await attendance.close();
    days.list = () => Promise.reject(new TallybookError('STORE_READ_FAILED', 'no disk'));
    await attendance.open();
    expect(lines.map(({ level, msg }) => [level, msg])).to.deep.equal([
      [50, 'could not read or file provisional scans'],
    ]);
    expect(lines[0]?.['err']).to.include({ code: 'STORE_READ_FAILED' });
  });

  it('logs that a scan is provisional, and its filing, without its id', async () => {
    const { lines, clock, attendance, tap } = await start();
    clock.setSynchronised(false);
    await tap('04A2B3C4D5');
    clock.setSynchronised(true);
    clock.advance(1_000);
    await attendance.close();
    expect(lines.map(({ level, msg, sequence }) => [level, msg, sequence])).to.deep.equal([
      [30, 'reader connected', undefined],
      [30, 'provisional scan stored until the clock is right', 1],
      [30, 'scan recorded', 1],
    ]);
    expect(JSON.stringify(lines)).to.not.include('04A2B3C4D5');
  });

  it('warns with the bounds when the time of a scan is only estimated', async () => {
    const { lines, clock, attendance, tap } = await start();
    clock.setSynchronised(false);
    clock.set(5);
    await tap('04A2B3C4D5');
    await attendance.close();
    clock.reboot('second', 1_763_700_000);
    clock.setSynchronised(true);
    await attendance.open();
    await attendance.close();
    const line = lines.find(({ level }) => level === 40);
    expect(line).to.include({ reader: 'door', sequence: 1, earliest: 0, latest: 1_763_700_000 });
    expect(line?.msg).to.match(/filed under an estimated time between earliest and latest/);
    expect(JSON.stringify(lines)).to.not.include('04A2B3C4D5');
  });

  const backlogOf = (lines: readonly LogLine[]): unknown[] =>
    lines
      .filter(({ id, reader }) => id === undefined && reader === undefined)
      .map(({ level, msg, limit, written, refused, lost }) => [
        level,
        msg,
        limit ?? written ?? lost,
        refused,
      ]);

  it('logs that scans are kept in memory, and their number when they are written', async () => {
    const days = new FailingDayStore();
    const { lines, clock, attendance, tap } = await start({ days });
    await tap('000001', '000002', '000003');
    days.failure = undefined;
    clock.advance(2_000);
    await attendance.close();
    expect(backlogOf(lines)).to.deep.equal([
      [50, 'the store cannot write; scans are kept in memory until it can', 10_000, undefined],
      [30, 'the store can write again', 3, 0],
    ]);
  });

  it('logs that no more can be kept, and at the end the number of refused ones', async () => {
    const days = new FailingDayStore();
    const { lines, tap } = await start({ days, backlogLimit: 2 });
    await tap('000001', '000002', '000003', '000004', '000005');
    days.failure = undefined;
    await tap('000006');
    expect(backlogOf(lines)).to.deep.equal([
      [50, 'the store cannot write; scans are kept in memory until it can', 2, undefined],
      [50, 'the backlog is full; further scans are lost until the store can write', 2, undefined],
      [40, 'the store can write again', 2, 3],
    ]);
  });

  it('logs each backlog separately', async () => {
    const days = new FailingDayStore();
    const { lines, clock, source, attendance, tap } = await start({ days, backlogLimit: 1 });
    await source.open();
    const { failure } = days;
    for (const ids of [['000001', '000002'], ['000003']]) {
      days.failure = failure;
      await tap(...ids);
      days.failure = undefined;
      clock.advance(2_000);
      await new Promise(setImmediate);
    }
    await attendance.close();
    const ends = backlogOf(lines).filter((line) => (line as unknown[])[1] === 'the store can write again');
    expect(ends.map((line) => (line as unknown[]).slice(2))).to.deep.equal([
      [1, 1],
      [1, 0],
    ]);
  });

  it('does not count scans that never were in memory', async () => {
    const days = new FailingDayStore();
    const { lines, clock, source, attendance } = await start({ days });
    await source.open();
    source.present('000001');
    let openGate = (): void => undefined;
    days.gate = new Promise((resolve) => (openGate = resolve));
    days.failure = undefined;
    source.present('000002');
    days.failure = new TallybookError('STORE_CORRUPT', 'the day is damaged');
    source.present('000003');
    while (attendance.backlog.waiting === 0) await new Promise(setImmediate);
    openGate();
    await attendance.settled();
    days.failure = undefined;
    clock.advance(2_000);
    await attendance.close();
    expect(backlogOf(lines)).to.deep.equal([
      [50, 'the store cannot write; scans are kept in memory until it can', 10_000, undefined],
      [30, 'the store can write again', 1, 0],
    ]);
  });

  it('logs no full backlog if a scan is lost for another reason', async () => {
    const { lines, log, clock, source } = await start();
    const events = new Emitter<AttendanceEvent>();
    const attendance = { events, backlog: { waiting: 1, limit: 9, refused: 0 } };
    await new AttendanceLog(log, attendance as unknown as AttendanceService, [source], clock).open();
    const scan = { day: toDay(20_413), at: toTimestamp(1_763_700_000), reader: 'door' };
    for (const [id, isKept] of [
      ['000001', true],
      ['000002', false],
    ] as const)
      events.emit({ kind: 'failed', scan: { ...scan, id: parseTallyId(id) }, error: undefined, isKept });
    expect(backlogOf(lines)).to.deep.equal([
      [50, 'the store cannot write; scans are kept in memory until it can', 9, undefined],
    ]);
  });

  it('logs the number of scans that are lost with the process', async () => {
    const { lines, attendance, attendanceLog, tap } = await start({ days: new FailingDayStore() });
    await tap('000001', '000002');
    await attendance.close();
    await attendanceLog.close();
    expect(backlogOf(lines).at(-1)).to.deep.equal([
      50,
      'scans in memory are lost: the service stopped before the store could write',
      2,
      undefined,
    ]);
  });

  it('logs nothing about a disabled backlog', async () => {
    const { lines, tap } = await start({ days: new FailingDayStore(), backlogLimit: 0 });
    await tap('000001');
    expect(backlogOf(lines)).to.deep.equal([]);
  });

  it('is silent after it was closed', async () => {
    const { lines, attendanceLog, tap } = await start();
    await attendanceLog.close();
    await tap('04A2B3C4D5');
    expect(lines).to.deep.equal([]);
  });
});
