import { expect } from 'chai';
import pino from 'pino';
import { AttendanceService, Calendar, parseName, parseTallyId, TallybookError } from '@tallybook/domain';
import { ManualClock, MemoryDayStore, MemoryMappingStore, ScriptedIdSource } from '@tallybook/testing';
import { AttendanceLog } from '../src/attendance-log.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

class FailingDayStore extends MemoryDayStore {
  override record(): Promise<never> {
    return Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'no space left on device'));
  }
}

describe('AttendanceLog', () => {
  async function start({ level = 'info', days = new MemoryDayStore() } = {}) {
    const lines: Line[] = [];
    const log = pino({ level }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
    const clock = new ManualClock();
    const mapping = new MemoryMappingStore();
    const source = new ScriptedIdSource(clock, 'door');
    const attendance = new AttendanceService({ days, mapping, calendar: new Calendar() });
    const attendanceLog = new AttendanceLog(log, attendance, [source], clock);
    for (const resource of [mapping, days, attendanceLog]) await resource.open();
    attendance.listen(source);
    return { lines, clock, mapping, source, attendance, attendanceLog };
  }

  it('says that a scan was recorded, with neither id nor name', async () => {
    const { lines, mapping, source, attendance } = await start();
    await mapping.put(parseTallyId('04A2B3C4D5'), parseName({ first: 'Ada', last: 'Lovelace' }));
    await source.open();
    source.present('04A2B3C4D5');
    await attendance.settled();
    const line = lines.find(({ msg }) => msg === 'scan recorded');
    expect(line).to.include({ reader: 'door', day: 20_413, outcome: 'counted', isNamed: true });
    expect(JSON.stringify(lines)).to.not.match(/04A2B3C4D5|Ada|Lovelace/);
  });

  it('tells the id at the level debug only, and repeated readings at trace only', async () => {
    const { lines, source, attendance } = await start({ level: 'trace' });
    await source.open();
    source.present('04A2B3C4D5');
    source.present('04A2B3C4D5');
    await attendance.settled();
    const levels = lines.filter(({ id }) => id === '04A2B3C4D5').map(({ level }) => level);
    expect(levels.sort()).to.deep.equal([10, 20]);
  });

  it('says with id and reason that a scan could not be recorded', async () => {
    const { lines, source, attendance } = await start({ days: new FailingDayStore() });
    await source.open();
    source.present('04A2B3C4D5');
    await attendance.settled();
    const line = lines.find(({ level }) => level === 50);
    expect(line).to.include({ id: '04A2B3C4D5', reader: 'door' });
    expect(line?.['err']).to.include({ code: 'STORE_WRITE_FAILED', message: 'no space left on device' });
  });

  it('says when a reader is lost and when it is back, once each', async () => {
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
    expect(faults().at(-1)?.msg).to.match(/counted/);
    clock.advance(60_000);
    source.present('noise');
    expect(faults()).to.have.length(8);
    expect(faults()[6]).to.include({ count: 95 });
  });

  it('is silent after it was closed', async () => {
    const { lines, source, attendance, attendanceLog } = await start();
    await attendanceLog.close();
    await source.open();
    source.present('04A2B3C4D5');
    await attendance.settled();
    expect(lines).to.deep.equal([]);
  });
});
