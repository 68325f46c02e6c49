import { expect } from 'chai';
import { BackupSchedule } from '../fixtures/backup-schedule.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

/** The longest delay of a timer. Timers with a longer delay fire at once. */
const TIMER_MAX_MS = 2_147_483_647;

describe('ScheduledBackup', () => {
  const folder = temporaryFolder();

  it('splits waits that are too long for a timer, holds no program, and leaves no timer when it is closed', async () => {
    const plan = { folder: folder.path('backups'), everyMs: 366 * 86_400_000, keep: 1 };
    await using schedule = await BackupSchedule.open(plan);
    const { clock, appointments } = schedule;
    expect(appointments.asked.map(([delayMs]) => delayMs)).to.deep.equal([1_000]);
    clock.advance(1_000);
    await schedule.written(1);
    await schedule.isWaiting();
    for (let day = 1; day <= 3; day++) await schedule.passes(86_400_000);
    for (const [delayMs, options] of appointments.asked) {
      expect(delayMs).to.be.within(1, TIMER_MAX_MS);
      expect(options).to.deep.equal({ holdsProgram: false });
    }
    expect(appointments.asked).to.have.lengthOf(5);
    expect(appointments.waiting).to.have.lengthOf(1);
    await schedule.close();
    expect(appointments.waiting).to.deep.equal([]);
  });
});
