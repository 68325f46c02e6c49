import { expect } from 'chai';
import {
  BackupService,
  Timekeeper,
  type AppointmentOptions,
  type Name,
  type Subscription,
  type TallyId,
} from '@tallybook/domain';
import {
  ManualClock,
  MemoryDayStore,
  MemoryMappingStore,
  MemorySnapshotSource,
  type MemoryDays,
} from '@tallybook/testing';
import { ScheduledBackup } from '../src/backup/scheduled-backup.js';
import { recordedLog } from './fixtures/logged.js';
import { temporaryFolder } from './fixtures/temporary-folder.js';

/** Timers wait for no more milliseconds than that, and are over at once if they are asked to. */
const TIMER_MAX_MS = 2_147_483_647;

/** A clock that knows what it was asked to wait for. */
class AskedClock extends ManualClock {
  readonly asked: (readonly [delayMs: number, options: AppointmentOptions | undefined])[] = [];
  waiting = 0;

  override schedule(delayMs: number, work: () => void, options?: AppointmentOptions): Subscription {
    this.asked.push([delayMs, options]);
    this.waiting++;
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.waiting--;
      isOver = true;
    };
    const appointment = super.schedule(delayMs, () => {
      end();
      work();
    });
    return {
      unsubscribe: () => {
        end();
        appointment.unsubscribe();
      },
    };
  }
}

describe('ScheduledBackup', () => {
  const folder = temporaryFolder();

  it('waits no longer at a time than timers can, holds no program, and leaves nothing when it is closed', async () => {
    const clock = new AskedClock();
    const contents = { names: new Map<TallyId, Name>(), days: new Map() as MemoryDays };
    const days = new MemoryDayStore(contents.days);
    const mapping = new MemoryMappingStore(contents.names);
    await Promise.all([days.open(), mapping.open()]);
    const backup = new BackupService({ snapshots: new MemorySnapshotSource(contents), mapping, days });
    const { log, lines } = recordedLog();
    const plan = { folder: folder.path('backups'), everyMs: 366 * 86_400_000, keep: 1 };
    const schedule = new ScheduledBackup(plan, backup, new Timekeeper(clock), log);
    await schedule.open();
    expect(clock.asked.map(([delayMs]) => delayMs)).to.deep.equal([1_000]);
    clock.advance(1_000);
    await lines.find('a backup', ({ msg }) => msg === 'backup written');
    while (clock.waiting === 0) await new Promise(setImmediate);
    for (let day = 1; day <= 3; day++) {
      const before = clock.asked.length;
      clock.advance(86_400_000);
      while (clock.asked.length === before) await new Promise(setImmediate);
    }
    for (const [delayMs, options] of clock.asked) {
      expect(delayMs).to.be.within(1, TIMER_MAX_MS);
      expect(options).to.deep.equal({ holdsProgram: false });
    }
    expect(clock.waiting).to.equal(1);
    await schedule.close();
    expect(clock.waiting).to.equal(0);
  });
});
