import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, watch, writeSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { checkBackup } from '@tallybook/domain/record';
import type { ManualClock } from '@tallybook/testing';
import { readLines } from '../../src/backup/read-lines.js';
import type { BackupPlan } from '../../src/backup/scheduled-backup.js';
import { mountSmallDisk, unmount } from '../../../store-level/test/fixtures/disk/small-disk.js';
import { ada, BackupSchedule, NOW } from '../fixtures/backup-schedule.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const DAY_MS = 86_400_000;

describe('ScheduledBackup', () => {
  const temporary = temporaryFolder();
  const folder = (...parts: string[]): string => temporary.path('backups', ...parts);
  const plan = (over: Partial<BackupPlan> = {}): BackupPlan => ({
    ...{ folder: folder(), everyMs: DAY_MS, keep: 3 },
    ...over,
  });
  /** Puts empty files into the folder. */
  async function hold(...names: readonly string[]): Promise<void> {
    await mkdir(folder(), { recursive: true });
    for (const name of names) await writeFile(folder(name), '');
  }
  const list = async (): Promise<string[]> => (await readdir(folder())).sort();

  it('writes a backup soon after the start if there is none, private to its owner, and logs its content', async () => {
    await using schedule = await BackupSchedule.open(plan());
    await schedule.first();
    const file = 'tallybook-00000001-2026-11-21T04-40-01Z.jsonl';
    expect(await list()).to.deep.equal([file]);
    await schedule.isWaiting();
    expect(schedule.lines.values).to.have.length(1);
    expect(schedule.lines.values[0]).to.include({
      ...{ msg: 'backup written', folder: folder(), file },
      ...{ names: 0, entries: 1, corrections: 0, provisional: 0 },
    });
    expect((await stat(folder())).mode & 0o777).to.equal(0o700);
    expect((await stat(folder(file))).mode & 0o777).to.equal(0o600);
    expect(await checkBackup(readLines(folder(file)))).to.deep.equal({
      names: 0,
      entries: 1,
      corrections: 0,
      provisional: 0,
    });
  });

  it('knows how old the latest is, also one that was there at the start', async () => {
    await using schedule = await BackupSchedule.open(plan());
    expect(schedule.state).to.deep.equal({ ageMs: undefined, hasFailed: false });
    await schedule.first();
    await schedule.passes(60_000);
    expect(schedule.state).to.deep.equal({ ageMs: 60_000, hasFailed: false });
    await schedule.close();
    await using later = await BackupSchedule.open(plan(), (clock) => clock.set(NOW + 7_201));
    later.clock.advance(1_000);
    await later.isWaiting();
    expect(later.state).to.deep.equal({ ageMs: 7_201_000, hasFailed: false });
  });

  it('knows that the last attempt failed', async () => {
    await writeFile(temporary.path('file'), '');
    await using schedule = await BackupSchedule.open(plan({ folder: temporary.path('file') }));
    schedule.clock.advance(1_000);
    await schedule.said(/the backup failed/);
    expect(schedule.state).to.deep.equal({ ageMs: undefined, hasFailed: true });
  });

  it('does nothing without a plan', async () => {
    await using schedule = await BackupSchedule.open(undefined);
    schedule.clock.advance(400 * DAY_MS);
    await schedule.close();
    expect(schedule.lines.values).to.deep.equal([]);
    expect(await readdir(temporary.path())).to.deep.equal([]);
  });

  it('writes another one after each interval, by the monotonic clock, and keeps the latest ones', async () => {
    await using schedule = await BackupSchedule.open(plan({ everyMs: 40 * DAY_MS }));
    schedule.clock.advance(1_000);
    for (let count = 1; count <= 5; count++) {
      await schedule.written(count);
      await schedule.isWaiting();
      // Time servers and people set clocks.
      schedule.clock.set(NOW + count);
      await schedule.passes(40 * DAY_MS - 1);
      expect(schedule.lines.values.filter(({ msg }) => msg === 'backup written')).to.have.length(count);
      schedule.clock.advance(1);
    }
    await schedule.written(6);
    await schedule.close();
    expect((await list()).map((name) => name.slice(0, 18))).to.deep.equal([
      'tallybook-00000004',
      'tallybook-00000005',
      'tallybook-00000006',
    ]);
  });

  it('waits after a start until the latest backup is as old as the interval', async () => {
    await hold('tallybook-00000041-2026-11-20T16-40-00Z.jsonl');
    await using schedule = await BackupSchedule.open(plan());
    await schedule.passes(DAY_MS / 2 - 1_000);
    expect(schedule.lines.values).to.deep.equal([]);
    await schedule.first();
    expect((await list()).at(-1)).to.match(/^tallybook-00000042-2026-11-21T16-40-0/);
  });

  it('writes one at once after a start if the latest backup is older, for any number of backups', async () => {
    const names = [
      'tallybook-00000009-2026-11-20T04-40-01Z.jsonl',
      'tallybook-00000010-2026-11-20T04-39-00Z.jsonl',
    ];
    await hold(...names);
    await using schedule = await BackupSchedule.open(plan());
    await schedule.first();
    expect(await list()).to.deep.equal([...names, 'tallybook-00000011-2026-11-21T04-40-01Z.jsonl']);
  });

  describe('when the clock cannot be trusted', () => {
    const lost = (clock: ManualClock): void => {
      clock.set(60);
      clock.setSynchronised(false);
    };

    it('writes a backup with the next number and no date, and removes the oldest', async () => {
      const names = [7, 8, 9].map((n) => `tallybook-0000000${n}-2026-11-1${n}T00-00-00Z.jsonl`);
      await hold(...names);
      await using schedule = await BackupSchedule.open(plan(), lost);
      for (let looks = 0; looks < 61; looks++) await schedule.passes(60_000);
      await schedule.written(1);
      await schedule.close();
      expect(await list()).to.deep.equal([...names.slice(1), 'tallybook-00000010.jsonl']);
    });

    it('does not write a backup at each start of a device that restarts often', async () => {
      await hold('tallybook-00000007-2026-11-20T00-00-00Z.jsonl');
      await using schedule = await BackupSchedule.open(plan(), lost);
      for (let starts = 0; starts < 20; starts++) {
        for (let minutes = 0; minutes < 59; minutes++) await schedule.passes(60_000);
        await schedule.close();
        await schedule.reopen();
      }
      expect(await list()).to.have.length(1);
    });

    it('uses the age of the latest backup as soon as the clock is right', async () => {
      await hold('tallybook-00000007-2026-11-21T00-40-00Z.jsonl');
      await using schedule = await BackupSchedule.open(plan(), lost);
      await schedule.passes(61_000);
      schedule.clock.set(NOW);
      schedule.clock.setSynchronised(true);
      await schedule.passes(60_000);
      await schedule.passes(20 * 3_600_000 - 61_000);
      expect(schedule.lines.values).to.deep.equal([]);
      schedule.clock.advance(61_000);
      await schedule.written(1);
    });

    it('checks the clock once a minute, for an hour', async () => {
      await hold('tallybook-00000007-2026-11-21T00-40-00Z.jsonl');
      await using schedule = await BackupSchedule.open(plan(), lost);
      for (let looks = 0; looks < 60; looks++) await schedule.passes(60_000);
      expect(schedule.appointments.asked.map(([delayMs]) => delayMs)).to.deep.equal([
        1_000,
        ...Array.from({ length: 60 }, () => 60_000),
      ]);
      schedule.clock.advance(60_000);
      await schedule.written(1);
    });

    it('treats the age of a backup from the future as unknown', async () => {
      await hold('tallybook-00000007-2038-01-19T03-14-07Z.jsonl');
      await using schedule = await BackupSchedule.open(plan());
      await schedule.passes(1_000);
      await schedule.passes(3_500_000);
      expect(schedule.lines.values).to.deep.equal([]);
      await schedule.passes(100_000);
      await schedule.written(1);
      expect(await list()).to.have.length(2);
    });

    it('writes no date that does not fit into a name', async () => {
      await using schedule = await BackupSchedule.open(plan(), (clock) => clock.set(253_402_300_800));
      await schedule.first();
      expect(await list()).to.deep.equal(['tallybook-00000001.jsonl']);
    });
  });

  it('removes unfinished backups of earlier runs, and no other files', async () => {
    const foreign = [
      'notes.txt',
      'tallybook-1.jsonl',
      'tallybook-00000001.jsonl.bak',
      'tallybook-00000001-2026-11-21.jsonl',
      '.notes.unfinished',
    ];
    await hold(...foreign, '.tallybook-00000003.jsonl.unfinished');
    await using schedule = await BackupSchedule.open(plan({ keep: 1 }));
    await schedule.first();
    schedule.clock.advance(DAY_MS);
    await schedule.written(2);
    await schedule.close();
    expect(await list()).to.have.members([...foreign, 'tallybook-00000002-2026-11-22T04-40-01Z.jsonl']);
  });

  it('keeps the last backup that held far more, in addition to the latest ones, for example if the store is new and empty', async () => {
    await mkdir(folder());
    const head = '{"kind":"tallybook","version":1,"hasEnd":true}';
    const holding = (entries: number): string =>
      `${head}\n{"kind":"end","names":1,"entries":${entries},"corrections":0,"provisional":0}\n`;
    const names = [1, 2, 3, 4].map((n) => `tallybook-0000000${n}-2020-01-0${n}T00-00-00Z.jsonl`);
    const contents = [holding(900), holding(2), holding(0), `${head}\nno end`];
    for (const [n, name] of names.entries()) await writeFile(folder(name), contents[n] ?? '');
    // The store holds one entry. The second backup has more than twice as many, the third has not.
    await using schedule = await BackupSchedule.open(plan({ keep: 1 }));
    schedule.clock.advance(1_000);
    await schedule.said(/has more than twice as much/);
    await schedule.isWaiting();
    expect(await list()).to.deep.equal([names[1], 'tallybook-00000005-2026-11-21T04-40-01Z.jsonl']);
    expect(schedule.lines.values[1]).to.include({ level: 40, spared: names[1], entries: 1 });
    // With two entries the store has caught up, and the spared backup is removed.
    await schedule.days.record(toDay(2), ada, toTimestamp(172_800));
    schedule.clock.advance(DAY_MS);
    await schedule.written(2);
    await schedule.close();
    expect(await list()).to.deep.equal(['tallybook-00000006-2026-11-22T04-40-01Z.jsonl']);
  });

  it('removes no old backup when the new one fails', async () => {
    await mkdir(folder());
    const name = 'tallybook-00000001-2020-01-01T00-00-00Z.jsonl';
    await writeFile(folder(name), '');
    await using schedule = await BackupSchedule.open(plan({ keep: 1 }));
    schedule.contents.days.get(toDay(1))?.set(ada, {
      // Like damage or a mistake: such an entry could not be imported.
      entry: { id: ada, first: toTimestamp(2), last: toTimestamp(1), count: 1 },
      scans: new Map(),
    });
    schedule.clock.advance(1_000);
    await schedule.said(/the backup failed/);
    expect(schedule.lines.values[0]).to.have.nested.property('err.code', 'INVALID_BACKUP');
    expect(await list()).to.deep.equal([name]);
  });

  it('notices that the file differs from the written data', async () => {
    await using schedule = await BackupSchedule.open(plan());
    for (let n = 0; n < 2_000; n++)
      await schedule.days.record(
        toDay(1),
        parseTallyId(`AB${String(n).padStart(8, '0')}`),
        toTimestamp(100_000),
      );
    // A card that changes a digit of an id when most is written, before it is read back.
    schedule.onDispose = () => {
      const file = openSync(folder('.tallybook-00000001-2026-11-21T04-40-01Z.jsonl.unfinished'), 'r+');
      writeSync(file, '9', 160);
      closeSync(file);
    };
    schedule.clock.advance(1_000);
    await schedule.said(/the backup failed/);
    expect(schedule.lines.values[0]).to.have.nested.property('err.code', 'INVALID_BACKUP');
    expect(JSON.stringify(schedule.lines.values[0])).to.match(/does not read back as it was written/);
    expect(await list()).to.deep.equal([]);
    schedule.onDispose = () => undefined;
    schedule.clock.advance(600_000);
    await schedule.written(1);
  });

  it('logs why the folder does not accept a backup, tries again after ten minutes, and continues', async () => {
    await writeFile(folder(), 'a file');
    await using schedule = await BackupSchedule.open(plan());
    schedule.clock.advance(1_000);
    await schedule.said(/the backup failed/);
    expect(schedule.lines.values[0]).to.have.nested.property('err.code', 'BACKUP_FAILED');
    expect(JSON.stringify(schedule.lines.values[0])).to.match(/ENOTDIR/);
    await rm(folder());
    await schedule.passes(599_999);
    expect(schedule.lines.values).to.have.length(1);
    schedule.clock.advance(1);
    await schedule.written(1);
  });

  it('tries again after the interval if that is shorter', async () => {
    await using schedule = await BackupSchedule.open(
      plan({ folder: temporary.path('no', 'backups'), everyMs: 60_000 }),
    );
    schedule.clock.advance(1_000);
    await schedule.said(/the backup failed/);
    expect(JSON.stringify(schedule.lines.values[0])).to.match(/ENOENT/);
    await mkdir(temporary.path('no'));
    schedule.clock.advance(60_000);
    await schedule.written(1);
  });

  it('does not make the folder again while its card is missing, but uses it when it is back', async () => {
    await using schedule = await BackupSchedule.open(plan());
    await schedule.first();
    await rename(folder(), temporary.path('elsewhere'));
    schedule.clock.advance(DAY_MS);
    await schedule.said(/the backup failed/);
    expect(await readdir(temporary.path())).to.deep.equal(['elsewhere']);
    await rename(temporary.path('elsewhere'), folder());
    schedule.clock.advance(600_000);
    await schedule.written(2);
    await schedule.close();
    expect(await list()).to.have.length(2);
  });

  it('logs that old backups cannot be removed, and continues with the interval', async () => {
    await mkdir(folder());
    // A file that even root cannot read: no process has memory at its beginning.
    await symlink('/proc/self/mem', folder('tallybook-00000001.jsonl'));
    await using schedule = await BackupSchedule.open(plan({ keep: 1 }));
    await schedule.passes(1_000);
    for (let looks = 0; looks < 61; looks++) await schedule.passes(60_000);
    await schedule.said(/could not remove old backups/);
    await schedule.passes(DAY_MS - 60_001);
    expect(schedule.lines.values.map(({ msg }) => msg)).to.deep.equal([
      'backup written',
      'could not remove old backups',
    ]);
  });

  it('logs an object with the name of a backup that is no file, and does not change it', async () => {
    await mkdir(folder('tallybook-00000001.jsonl'), { recursive: true });
    await using schedule = await BackupSchedule.open(plan({ keep: 1 }));
    schedule.clock.advance(1_000);
    await schedule.said(/left alone, because it has the name of a backup/);
    expect(schedule.lines.values.at(-1)).to.deep.include({ noFiles: ['tallybook-00000001.jsonl'] });
    expect(await list()).to.deep.equal([
      'tallybook-00000001.jsonl',
      'tallybook-00000002-2026-11-21T04-40-01Z.jsonl',
    ]);
  });

  it('aborts its backup when it is closed, leaves nothing, and starts again when it is opened', async () => {
    await using schedule = await BackupSchedule.open(plan());
    for (let n = 0; n < 20_000; n++) await schedule.days.record(toDay(n), ada, toTimestamp(n * 86_400));
    await mkdir(folder());
    const stopping = new AbortController();
    const events = watch(folder(), { signal: stopping.signal });
    const begun = once(events, 'change');
    schedule.clock.advance(1_000);
    await begun;
    stopping.abort();
    await schedule.close();
    expect(await list()).to.deep.equal([]);
    expect(schedule.lines.values).to.deep.equal([]);
    await schedule.reopen();
    await schedule.first();
    expect(await list()).to.have.length(1);
  });

  it('leaves nothing of a backup on a full card, and keeps the old ones', async function () {
    await mkdir(folder());
    const reason = mountSmallDisk(folder(), 1_048_576);
    if (reason !== undefined) this.skip(reason);
    try {
      await using schedule = await BackupSchedule.open(plan({ keep: 1 }));
      await schedule.first();
      const before = await list();
      for (let n = 0; n < 15_000; n++) await schedule.days.record(toDay(n), ada, toTimestamp(n * 86_400));
      schedule.clock.advance(DAY_MS);
      await schedule.said(/the backup failed/);
      expect(JSON.stringify(schedule.lines.values.at(-1))).to.match(/ENOSPC.*BACKUP_FAILED/);
      expect(await list()).to.deep.equal(before);
      execFileSync('mount', ['-o', 'remount,size=8m', folder()]);
      schedule.clock.advance(600_000);
      await schedule.written(2);
      await schedule.close();
      expect(await list())
        .to.have.length(1)
        .and.to.not.deep.equal(before);
    } finally {
      unmount(folder());
    }
  });
});
