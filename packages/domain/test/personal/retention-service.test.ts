import { createReading, TallybookError, toDay, toTimestamp } from '@tallybook/domain';
import type { NewCorrection } from '@tallybook/domain/record';
import { parseKeep, RetentionService } from '@tallybook/domain/personal';
import { expect } from 'chai';
import { ada, bob, itInWorld, NOW, PersonalWorld, TODAY } from './personal-world.js';
import { rejectionOf } from '../fixtures/throws.js';
import { listOf } from '../fixtures/streams.js';
import { unplacedScan } from '../fixtures/unplaced-scan.js';
import { addition } from '../fixtures/addition.js';

describe('RetentionService', () => {
  let world: PersonalWorld;

  /** A scan of both tags on each of the days before today, back to the first one. */
  const fill = async (back: number, step = 1): Promise<void> => {
    for (let n = back; n >= 0; n -= step) {
      for (const id of [ada, bob])
        await world.days.record(toDay(TODAY - n), id, toTimestamp(NOW - n * 86_400));
    }
  };
  const listed = async () =>
    (await world.days.list(toDay(0), toDay(4_294_967_295))).map((day) => TODAY - day);

  beforeEach(async () => {
    world = await new PersonalWorld().open();
    await world.mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
  });

  afterEach(() => world.attendance.close());

  it('reports the expired data, and removes nothing', async () => {
    await fill(12);
    world.backups.files.set('old', { at: NOW - 11 * 86_400, ids: [] });
    world.backups.files.set('new', { at: NOW - 9 * 86_400, ids: [] });
    expect(await world.retention('10days').plan()).to.deep.equal({
      isDryRun: true,
      keep: { count: 10, unit: 'days' },
      firstKept: TODAY - 10,
      days: [
        { day: TODAY - 12, entries: 2 },
        { day: TODAY - 11, entries: 2 },
      ],
      backups: ['old'],
      keepGuests: undefined,
      guests: [],
      doubt: undefined,
    });
    expect(await listed()).to.have.lengthOf(13);
  });

  it('reports expired days in their order, with every kind of data', async () => {
    await fill(12);
    for (const back of [30, 20]) {
      const [day, at] = [toDay(TODAY - back), toTimestamp(NOW - back * 86_400)];
      await world.corrections.correct([addition({ day, id: ada, at })]);
    }
    const { days } = await world.retention('10days').plan();
    expect(days.map(({ day }) => TODAY - day)).to.deep.equal([30, 20, 12, 11]);
  });

  it('goes on only while each removal is confirmed, and notes what it has removed until then', async () => {
    await fill(13);
    let removals = 0;
    const confirm = (): void => {
      if (++removals > 2) throw new TallybookError('NOT_SIGNED_IN', 'it has ended');
    };
    await rejectionOf('NOT_SIGNED_IN', world.retention('10days').apply({ actor: 'Eve', confirm }));
    expect(await listed()).to.deep.equal([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    const details = { before: '2025-11-11', days: 2, backups: 0 };
    expect(world.notes).to.deep.equal([['Eve', 'retention-applied', details]]);
  });

  it('asks for confirmation of more than 60 days and backups together', async () => {
    await fill(100);
    const retention = world.retention('70days');
    for (let n = 0; n < 30; n++) world.backups.files.set(`backup-${n}`, { at: NOW - 71 * 86_400, ids: [] });
    expect((await retention.plan()).doubt).to.equal(undefined);
    world.backups.files.set('one-more', { at: NOW - 71 * 86_400, ids: [] });
    expect((await retention.plan()).doubt).to.equal('many-days');
  });

  it('gives others the first kept day, and none while it holds days back', async () => {
    await fill(12);
    const retention = world.retention('10days');
    expect(await retention.firstKept()).to.equal(TODAY - 10);
    await fill(40);
    expect(await retention.firstKept()).to.equal(undefined);
    await retention.apply({ isConfirmed: true, actor: 'Eve' });
    expect(await retention.firstKept()).to.equal(TODAY - 10);
    world.clock.advance(86_400_000);
    expect(await retention.firstKept()).to.equal(TODAY - 9);
    world.clock.setSynchronised(false);
    expect(await retention.firstKept()).to.equal(undefined);
  });

  it('gives others no first day if all days are kept, or if backups cannot be listed', async () => {
    await fill(12);
    expect(await world.retention(undefined).firstKept()).to.equal(undefined);
    const retention = world.retention('10days');
    world.backups.madeBefore = () => Promise.reject(new TallybookError('BACKUP_FAILED', 'no such folder'));
    expect(await retention.firstKept()).to.equal(undefined);
  });

  it('reports the expired data for another time, and keeps its own', async () => {
    await fill(12);
    const retention = world.retention('10days');
    expect((await retention.plan(parseKeep('11days'))).days).to.deep.equal([{ day: TODAY - 12, entries: 2 }]);
    expect((await retention.plan()).days).to.have.lengthOf(2);
  });

  it('removes days, their changes in the journal, and backups; names stay', async () => {
    await fill(12);
    world.backups.files.set('old', { at: NOW - 11 * 86_400, ids: [] });
    await world.retention('10days').apply({ actor: 'Eve' });
    expect(await listed()).to.deep.equal([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect([...world.backups.files.keys()]).to.deep.equal([]);
    expect((await world.mapping.get(ada))?.first).to.equal('Ada');
    const told = world.journal.entriesOf((change) => change.kind === 'scan' && change.day < TODAY - 10);
    expect(told).to.deep.equal([]);
    expect(world.notes).to.deep.equal([
      ['Eve', 'retention-applied', { before: '2025-11-11', days: 2, backups: 1 }],
    ]);
  });

  it('is noted for each day once when two servers do it at the same time', async () => {
    await fill(12);
    const one = world.retention('10days');
    const other = world.retention('10days');
    await Promise.all([one.apply({ actor: 'one' }), other.apply({ actor: 'other' })]);
    expect((await listed()).length).to.equal(11);
    const noted = world.notes.map(([, , details]) => Number(details?.['days']));
    expect(noted.reduce((sum, days) => sum + days, 0)).to.equal(2);
    expect(noted).to.not.include(0);
  });

  it('removes days with their corrections, so that an addition restores none of them', async () => {
    await fill(3);
    const forgotten = (back: number, state: NewCorrection['state']): NewCorrection =>
      addition({ day: toDay(TODAY - back), id: ada, at: toTimestamp(NOW - back * 86_400 - 60), state });
    const additions = [forgotten(12, 'approved'), forgotten(11, 'pending'), forgotten(3, 'approved')];
    await world.corrections.correct(additions);
    // A day with both a scan and a correction.
    await world.days.record(toDay(TODAY - 12), bob, toTimestamp(NOW - 12 * 86_400));
    const { days } = await world.retention('10days').apply({ actor: 'Eve' });
    expect(days).to.deep.equal([
      { day: TODAY - 12, entries: 1 },
      { day: TODAY - 11, entries: 0 },
    ]);
    const all = await world.corrected.list(toDay(0), toDay(TODAY));
    expect(all.map((day) => TODAY - day)).to.deep.equal([3, 2, 1, 0]);
    const left = await world.corrections.list(toDay(0), toDay(TODAY));
    expect(left.map(({ day }) => TODAY - day)).to.deep.equal([3]);
    const told = world.journal.entriesOf((change) => change.kind === 'correction' && change.day < TODAY - 10);
    expect(told).to.deep.equal([]);
  });

  it('notes nothing when nothing is removed', async () => {
    await fill(3);
    const { days, isDryRun } = await world.retention('10days').apply({ actor: 'Eve' });
    expect({ days, isDryRun }).to.deep.equal({ days: [], isDryRun: false });
    expect(world.notes).to.deep.equal([]);
  });

  it('keeps everything unless a time is set', async () => {
    await fill(12);
    const report = await world.retention(undefined).apply({ actor: 'Eve' });
    expect(report).to.deep.include({ keep: undefined, firstKept: undefined, days: [] });
    expect(await listed()).to.have.lengthOf(13);
  });

  it('removes listed scans with an estimated time on such a day', async () => {
    const day = toDay(TODAY - 20);
    const at = toTimestamp(NOW - 20 * 86_400);
    const sequence = await world.provisional.add(unplacedScan(ada, at));
    await world.provisional.settle(sequence, { day, at, isRecorded: true });
    await fill(3);
    const { days } = await world.retention('10days').apply({ actor: 'Eve' });
    expect(days).to.deep.equal([{ day, entries: 0 }]);
    expect(await world.provisional.list()).to.deep.equal([]);
  });

  it('removes nothing by a clock that is years ahead, with or without taps', async () => {
    await fill(40);
    world.clock.set(NOW + 3_650 * 86_400);
    await rejectionOf('RETENTION_NOT_CONFIRMED', world.retention('24months').apply({ actor: 'Eve' }));
    for (let day = 0; day < 20; day++) {
      await world.attendance.take(createReading(world.clock, 'door', bob));
      const error = await rejectionOf(
        'RETENTION_NOT_CONFIRMED',
        world.retention('24months').apply({ actor: 'Eve' }),
      );
      expect(error.details).to.deep.equal({ doubt: 'leap-in-time', days: 41 });
      world.clock.advance(86_400_000);
    }
    expect(await listed()).to.have.lengthOf(61);
  });

  it('removes nothing by a clock that is not trusted, even if it is confirmed', async () => {
    await fill(12);
    world.clock.setSynchronised(false);
    const retention = world.retention('10days');
    expect((await retention.plan()).doubt).to.equal('clock-not-trusted');
    await rejectionOf('CLOCK_NOT_TRUSTED', retention.apply({ actor: 'Eve', isConfirmed: true }));
    expect(await listed()).to.have.lengthOf(13);
  });

  it('removes most of a small record only with a confirmation, because days may have been meant as months', async () => {
    await fill(22 * 20, 22);
    const retention = world.retention('30days');
    const error = await rejectionOf('RETENTION_NOT_CONFIRMED', retention.apply({ actor: 'Eve' }));
    expect(error.message).to.include(
      'more than 60 days, or more than a third of all, would be removed at once',
    );
    expect(await listed()).to.have.lengthOf(21);
    await world.retention('30months').apply({ actor: 'Eve' });
    expect(await listed()).to.have.lengthOf(21);
    await retention.apply({ actor: 'Eve', isConfirmed: true });
    expect(await listed()).to.have.lengthOf(2);
  });

  it('stops when the clock becomes doubtful', async () => {
    await fill(14);
    const { attendance, days, calendar, timekeeper } = world;
    let removed = 0;
    const retention = new RetentionService(
      {
        days,
        calendar,
        timekeeper,
        attendance: {
          removeDay: (day) => {
            if (++removed === 2) world.clock.setSynchronised(false);
            return attendance.removeDay(day);
          },
        },
      },
      parseKeep('10days'),
    );
    await rejectionOf('CLOCK_NOT_TRUSTED', retention.apply({ actor: 'Eve' }));
    expect(await listed()).to.have.lengthOf(13);
  });
});

describe('A range with pseudonyms', () => {
  itInWorld(
    'has codes for persons, namesakes included, and times rounded to a quarter of an hour',
    async (world) => {
      for (const id of [ada, bob]) await world.mapping.put(id, { first: 'Ada', last: 'Lovelace' });
      await world.days.record(toDay(TODAY), ada, toTimestamp(NOW + 65));
      await world.days.record(toDay(TODAY), ada, toTimestamp(NOW + 61));
      await world.days.record(toDay(TODAY), bob, toTimestamp(NOW + 1_000));
      const codes = new Map<string, string>();
      const codeOf = (person: string): string => {
        const code = codes.get(person) ?? `P${codes.size}`;
        codes.set(person, code);
        return code;
      };
      await using range = await world.ranges.open(toDay(TODAY), toDay(TODAY), { codeOf });
      const table = await range.table(() => Promise.resolve());
      expect(table.people.map(({ id, name, ids }) => [id, name, ids])).to.deep.equal([
        [undefined, undefined, ['P0']],
        [undefined, undefined, ['P1']],
      ]);
      expect([...(await table.presencesOf(0)), ...(await table.presencesOf(1))]).to.deep.equal([
        { day: TODAY, first: NOW - 600, last: NOW - 600, scans: 2 },
        { day: TODAY, first: NOW + 300, last: NOW + 300, scans: 1 },
      ]);
      const entries = await listOf(range.entries());
      expect(JSON.stringify(entries)).to.not.match(/Ada|04A2B3C4D5|0006547886/);
    },
  );
});
