import {
  Emitter,
  parseTallyId,
  toDay,
  toTimestamp,
  type AttendanceEvent,
  type Change,
  type CorrectionChange,
  type DayChange,
  type NameChange,
} from '@tallybook/domain';
import { AnnouncedJournal } from '@tallybook/store-memory';
import { expect } from 'chai';

const id = parseTallyId('04A2B3C4D5');
const day = toDay(20_413);
const scan = { id, reader: 'door', at: toTimestamp(1_763_700_000), day };

describe('AnnouncedJournal', () => {
  const attendance = { events: new Emitter<AttendanceEvent>(), dayChanges: new Emitter<DayChange>() };
  const names = { changes: new Emitter<readonly NameChange[]>() };
  const backup = { changes: new Emitter<Change>() };
  const corrections = { changes: new Emitter<CorrectionChange>() };
  const clock = { bootId: 'first' };
  let journal: AnnouncedJournal;

  beforeEach(async () => {
    journal = new AnnouncedJournal({ attendance, names, backup, corrections, clock }, { limit: 1_000 });
    await journal.open();
  });

  const read = async (): Promise<unknown> => {
    const page = await journal.read(0, 100);
    return page.isKnown ? page.entries.map(({ change }) => change) : page.reason;
  };

  it('has exactly the recorded scans, in order', async () => {
    const estimate = { earliest: toTimestamp(1), latest: toTimestamp(2) };
    const error = new Error('the disk is full');
    attendance.events.emit({ kind: 'scan', scan });
    attendance.events.emit({ kind: 'attendance', scan, outcome: 'counted', name: undefined });
    attendance.events.emit({ kind: 'failed', scan, error, isKept: true });
    attendance.events.emit({ kind: 'provisional', scan, sequence: 7, monotonicMs: 12.5, name: undefined });
    attendance.events.emit({ kind: 'trouble', error });
    const filed = { sequence: 7, estimate };
    attendance.events.emit({ kind: 'attendance', scan, outcome: 'already-counted', name: undefined, filed });
    expect(await read()).to.deep.equal([
      { kind: 'scan', ...scan, outcome: 'counted' },
      { kind: 'provisional', sequence: 7, id, reader: 'door', bootId: 'first', monotonicMs: 12.5 },
      { kind: 'scan', ...scan, outcome: 'already-counted', filed },
    ]);
  });

  it('has changed names and imported days', async () => {
    const changes: readonly NameChange[] = [
      { kind: 'name', id, action: 'added' },
      { kind: 'name', id, action: 'removed' },
    ];
    names.changes.emit(changes);
    backup.changes.emit({ kind: 'day', day, action: 'merged' });
    expect(await read()).to.deep.equal([...changes, { kind: 'day', day, action: 'merged' }]);
  });

  it('has corrections, and none of a removed day', async () => {
    const correction = { kind: 'correction', number: 1, day, id } as const;
    const other = { ...correction, number: 2, day: toDay(20_414) };
    for (const each of [correction, other]) corrections.changes.emit(each);
    expect(await read()).to.deep.equal([correction, other]);
    attendance.dayChanges.emit({ kind: 'day', day, action: 'removed' });
    expect(await read()).to.deep.equal([other, { kind: 'day', day, action: 'removed' }]);
  });

  it('has only the removal of a removed day', async () => {
    const other = { ...scan, day: toDay(20_414) };
    for (const each of [scan, other])
      attendance.events.emit({ kind: 'attendance', scan: each, outcome: 'counted', name: undefined });
    attendance.dayChanges.emit({ kind: 'day', day, action: 'removed' });
    expect(await read()).to.deep.equal([
      { kind: 'scan', ...other, outcome: 'counted' },
      { kind: 'day', day, action: 'removed' },
    ]);
  });
});
