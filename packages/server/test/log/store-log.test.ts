import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { logStoreNotices, summarize } from '../../src/log/store-log.js';
import { noRows } from '../fixtures/stores/no-rows.js';
import { recordedLog } from '../fixtures/logged.js';

const error = new TallybookError('STORE_CORRUPT', 'the store /s is damaged');

describe('The log of a store', () => {
  for (const [reaction, isMarked, expected] of [
    ['repair', true, /goes on with the sound rows, and the next start repairs the store$/],
    ['refuse', true, /goes on with the sound rows, and the next start refuses the store$/],
    ['repair', false, /could not be noted in its folder, so the next start has to find it again$/],
  ] as const) {
    it(`has the next step after damage: ${reaction}, ${isMarked ? 'marked' : 'not marked'}`, () => {
      const { log, lines } = recordedLog();
      logStoreNotices(log, reaction)({ kind: 'damaged', path: '/s', error, isMarked });
      expect(lines.values[0]).to.include({ level: 50, path: '/s' });
      expect(lines.values[0]?.msg).to.match(expected);
    });
  }

  it('announces before a repair its duration and its reason', () => {
    const { log, lines } = recordedLog();
    const reason = '000012.ldb: its block at 8271 is damaged';
    logStoreNotices(log, 'repair')({ kind: 'repairing', path: '/s', reason });
    expect(lines.values[0]).to.include({
      level: 40,
      path: '/s',
      msg: `the store is damaged: ${reason}; repairing it may take a minute`,
    });
  });

  it('announces before another format its duration, and the way back', () => {
    const { log, lines } = recordedLog();
    logStoreNotices(log, 'refuse')({ kind: 'migrating', path: '/s', format: 2 });
    expect(lines.values[0]).to.include({
      level: 30,
      path: '/s',
      format: 2,
      msg: 'bringing the store to storage format 2; this may take a minute. It is copied first, to go back with tallybook rollback within 14 days',
    });
  });

  it('reports after a repair, as an error, the saved data and the next steps', () => {
    const { log, lines } = recordedLog();
    const report = {
      ...{ damages: ['CURRENT: it is missing'], brokenBlocks: 0, missingCommits: 0, isMissingAtMost: false },
      ...{ rescuedRows: 0, damagedRows: 0, lostChanges: 0, keptIn: '/s/damaged-1' },
      saved: { ...noRows, names: 1, days: 2, entries: 3, scans: 4, provisional: 5 },
    };
    logStoreNotices(log, 'repair')({ kind: 'repaired', path: '/s', report });
    expect(lines.values[0]).to.deep.include({ level: 50, path: '/s', ...report });
    expect(lines.values[0]?.msg)
      .to.match(/^the damaged store is repaired: saved 1 name, 2 days, 3 entries/)
      .and.match(/; now import the last backup$/);
  });

  it('names settings of a database with which taps can be lost, and the end of that state', () => {
    const { log, lines } = recordedLog();
    const tell = logStoreNotices(log, 'refuse');
    tell({ kind: 'unsafe', path: '/s', settings: ['fsync', 'full_page_writes'] });
    tell({ kind: 'unsafe', path: '/s', settings: [] });
    const [unsafe, safe] = lines.values;
    expect(unsafe).to.deep.include({ level: 40, path: '/s', settings: ['fsync', 'full_page_writes'] });
    expect(unsafe?.msg).to.match(/^the database has fsync and full_page_writes off: a power cut can/);
    expect(safe).to.include({
      level: 30,
      path: '/s',
      msg: 'the database of /s is safe from power cuts again',
    });
  });

  it('has the revisions of a database that lost acknowledged writes', () => {
    const { log, lines } = recordedLog();
    logStoreNotices(log, 'refuse')({ kind: 'lost-commits', path: 'db', acknowledged: 512, found: 508 });
    const [line] = lines.values;
    expect(line).to.include({ level: 50, acknowledged: 512, found: 508 });
    expect(line?.msg).to.match(
      /lost acknowledged writes.*was 512 at the last acknowledged write, and is 508 now$/,
    );
  });

  it('has the store, the severity and the error of each notice', () => {
    const { log, lines } = recordedLog();
    const tell = logStoreNotices(log, 'refuse');
    const full = new TallybookError('STORE_WRITE_FAILED', 'no space left on device');
    const broken = new TallybookError('STORE_WRITE_FAILED', 'the disk is broken', {
      details: { isPermanent: true },
    });
    const unread = new TallybookError('STORE_READ_FAILED', 'the rows could not be checked');
    tell({ kind: 'created', path: '/s' });
    tell({ kind: 'damaged', path: '/s', error, isMarked: true });
    tell({ kind: 'unwritable', path: '/s', error: full });
    tell({ kind: 'unwritable', path: '/s', error: broken });
    tell({ kind: 'writable', path: '/s' });
    tell({ kind: 'unknown-end', path: '/s' });
    tell({ kind: 'unguarded', path: '/s', file: 'ACKNOWLEDGED' });
    tell({ kind: 'unchecked', path: '/s', error: unread });
    const told = lines.values.map(({ level, path, err, msg }) => [
      ...[level, path, (err as { readonly code: string } | undefined)?.code, msg.split(/[,;.]/)[0]],
    ]);
    expect(told).to.deep.equal([
      [30, '/s', undefined, 'created a new'],
      [50, '/s', 'STORE_CORRUPT', 'the store /s is damaged'],
      [50, '/s', 'STORE_WRITE_FAILED', 'the disk of /s is full'],
      [50, '/s', 'STORE_WRITE_FAILED', 'the disk is broken'],
      [30, '/s', undefined, 'the disk of /s accepts writes again'],
      [40, '/s', undefined, '/s: the files ACKNOWLEDGED and ACKNOWLEDGED-2 are lost'],
      [
        40,
        '/s',
        undefined,
        '/s: its file ACKNOWLEDGED cannot be written: if the other one of the two is lost too',
      ],
      [50, '/s', 'STORE_READ_FAILED', 'the rows could not be checked'],
    ]);
    expect(lines.values[5]?.msg).to.match(/the latest writes may be missing.*look whether the latest taps/);
    expect(lines.values[6]).to.include({ file: 'ACKNOWLEDGED' });
    expect(lines.values[6]?.msg).to.match(/; stop the service, move ACKNOWLEDGED away, and start it again$/);
  });

  describe('about a repair', () => {
    const few = { ...noRows, names: 2, days: 1, entries: 1, scans: 1, provisional: 1 };
    const nothing = {
      ...{ damages: [], saved: few, keptIn: undefined, rescuedRows: 0, damagedRows: 0, lostChanges: 0 },
      ...{ brokenBlocks: 0, missingCommits: 0, isMissingAtMost: false },
    };
    const several = { ...noRows, names: 1, days: 2, entries: 3, scans: 4, provisional: 5 };
    const all = {
      ...{
        ...few,
        persons: 3,
        timelines: 1,
        corrections: 4,
        users: 2,
        credentials: 1,
        auditEntries: 9,
        receipts: 1,
        stations: 3,
      },
    };
    const reports: readonly (readonly [report: Partial<typeof nothing>, said: RegExp])[] = [
      [{ saved: several }, /^saved 1 name, 2 days, 3 entries and 5 provisional scans$/],
      [{}, /^saved 2 names, 1 day, 1 entry and 1 provisional scan$/],
      [
        { saved: all },
        /^saved 2 names, 3 persons, 1 timeline of a tag, 1 day, 1 entry, 4 corrections, 1 provisional scan, 2 users, 1 session or token, 9 entries of the audit trail, the taken numbers of 1 device and 3 stations$/,
      ],
      [
        { rescuedRows: 58, damagedRows: 2, lostChanges: 1 },
        /; 58 rows were found in damaged places; 2 rows were damaged; 1 change is lost$/,
      ],
      [
        { rescuedRows: 1, damagedRows: 1, lostChanges: 2 },
        /; 1 row was found in damaged places; 1 row was damaged; 2 changes are lost$/,
      ],
      [
        { rescuedRows: 58, brokenBlocks: 3 },
        /; 58 rows were found in damaged places; some rows in 3 damaged blocks may be lost$/,
      ],
      [{ missingCommits: 7 }, /; the latest 7 acknowledged commits are missing or damaged$/],
      [{ missingCommits: 7, isMissingAtMost: true }, /; up to the latest 7 acknowledged/],
      [{ missingCommits: 1 }, /; the latest acknowledged commit is missing or damaged$/],
    ];
    for (const [report, said] of reports) {
      it(`has saved, rescued and lost data: ${said.source.slice(0, 60)}`, () => {
        expect(summarize({ ...nothing, ...report })).to.match(said);
      });
    }
  });
});
