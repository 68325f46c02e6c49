import { setImmediate } from 'node:timers/promises';
import {
  DAY_MAX,
  toDay,
  toTimestamp,
  type AttendanceDay,
  type Mapping,
  type Name,
  type ProvisionalScan,
  type TallyId,
} from '@tallybook/domain';
import {
  BACKUP_LINE_MAX_LENGTH,
  BackupService,
  joinLines,
  type Correction,
  type NewCorrection,
} from '@tallybook/domain/record';
import {
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
  MemorySnapshotSource,
  MemoryStampedNames,
  noChanges,
  noCorrections,
  noProvisionalScans,
  type MemoryDays,
} from '@tallybook/testing';
import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  corrections,
  days as anyDay,
  names,
  provisionalScans,
  runs,
  tallyIds,
  timestamps,
} from '../../fixtures/arbitraries.js';
import { rejectionOf } from '../../fixtures/throws.js';
import { StoresSnapshotSource } from '../../../../store-memory/src/stores-snapshot-source.js';
import { ada, bob } from '../../../../testing/test/fixtures/known-values.js';
import { listOf, reading } from '../../fixtures/streams.js';
import { failureOf } from '../../../../testing/test/fixtures/failure-of.js';
import { addition } from '../../fixtures/addition.js';

const head = '{"kind":"tallybook","version":1}';
const headWithEnd = '{"kind":"tallybook","version":1,"hasEnd":true}';
const end = (names: number, entries: number, provisional = 0, corrections = 0): string =>
  JSON.stringify({ kind: 'end', names, entries, corrections, provisional });

/** The result of an import. */
const counts = (names: number, entries: number, provisional = 0): object => ({
  ...{ names, entries, provisional, corrections: 0 },
});
/** The contents of empty stores. */
const NOTHING = { mapping: new Map(), days: [], corrections: [], provisional: [] };

/** A provisional scan. */
const waiting = {
  ...{ id: ada, reader: 'door', bootId: 'first run', monotonicMs: 12.25 },
  ...{ shown: toTimestamp(7), notBefore: toTimestamp(5) },
};
const waitingLine =
  '{"kind":"provisional","id":"04A2B3C4D5","reader":"door","bootId":"first run","monotonicMs":12.25,"shown":7,"notBefore":5}';
const filing = {
  ...{ day: toDay(1), at: toTimestamp(86_400), isRecorded: true },
  estimate: { earliest: toTimestamp(5), latest: toTimestamp(86_400) },
};

const forgotten = { day: toDay(1), id: ada, at: toTimestamp(86_400) };

/** Stores, and the backup service over them. */
class Tallybook {
  readonly #contents = {
    names: new Map<TallyId, Name>(),
    days: new Map() as MemoryDays,
    scans: noProvisionalScans(),
    corrections: noCorrections(),
  };
  readonly mapping = new MemoryMappingStore(this.#contents.names);
  readonly days = new MemoryDayStore(this.#contents.days);
  readonly provisional = new MemoryProvisionalStore(this.#contents.scans);
  readonly corrections = new MemoryCorrectionStore(this.#contents.corrections);
  readonly backup = new BackupService({
    snapshots: new MemorySnapshotSource(this.#contents),
    mapping: this.mapping,
    days: this.days,
    provisional: this.provisional,
    corrections: this.corrections,
  });

  async open(): Promise<this> {
    const { mapping, days, provisional, corrections } = this;
    await Promise.all([mapping, days, provisional, corrections].map((store) => store.open()));
    return this;
  }

  async contents(): Promise<{
    mapping: Mapping;
    days: readonly (AttendanceDay | undefined)[];
    provisional: readonly ProvisionalScan[];
    corrections: readonly object[];
  }> {
    const days = await this.days.list(toDay(0), toDay(4_294_967_295));
    return {
      mapping: await this.mapping.read(),
      days: await Promise.all(days.map((day) => this.days.load(day))),
      provisional: await this.provisional.list(),
      corrections: (await this.corrections.list(toDay(0), DAY_MAX)).map(withoutNumber),
    };
  }

  export(): Promise<string[]> {
    return listOf(this.backup.export());
  }

  import(lines: readonly string[]): ReturnType<BackupService['import']> {
    return this.backup.import(() => reading(lines));
  }
}

/** Each store numbers corrections itself. */
function withoutNumber(correction: Correction): object {
  return Object.fromEntries(Object.entries(correction).filter(([field]) => field !== 'number'));
}

describe('BackupService', () => {
  it('gives names the time of the backup, so that it reverts no later change of another place', async () => {
    const journal = new MemoryJournal(noChanges());
    const mapping = new MemoryMappingStore(new Map(), journal, { source: { now: () => 9_000_000 } });
    const [days, stamped] = [new MemoryDayStore(), new MemoryStampedNames(mapping)];
    for (const store of [journal, mapping, days, stamped]) await store.open();
    const node = await journal.origin();
    const backup = new BackupService({
      snapshots: new StoresSnapshotSource({ mapping, days }),
      mapping,
      days,
    });
    const lines = [
      '{"kind":"tallybook","version":1,"madeAt":7000}',
      '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Byron"}',
    ];
    await backup.import(() => reading(lines));
    expect(await mapping.get(ada)).to.deep.equal({ first: 'Ada', last: 'Byron' });
    const married = { first: 'Ada', last: 'Lovelace' };
    await stamped.merge([{ id: ada, name: married, stamp: { ms: 8_000_000, counter: 0, node: 'hall' } }]);
    expect(await mapping.get(ada)).to.deep.equal(married);
    // A person who wants the older name back gets it.
    await backup.import(() => reading(lines));
    expect(await stamped.get([ada])).to.deep.equal([
      { id: ada, name: { first: 'Ada', last: 'Byron' }, stamp: { ms: 8_000_000, counter: 1, node } },
    ]);
  });

  let book: Tallybook;

  beforeEach(async () => {
    book = await new Tallybook().open();
  });

  describe('export', () => {
    it('writes the head and the end when there is nothing', async () => {
      expect(await book.export()).to.deep.equal([headWithEnd, end(0, 0)]);
    });

    it('writes the names ascending by id, the entries by day and first scan, and the scans that wait', async () => {
      await book.mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
      await book.mapping.put(bob, { first: 'Bob', last: '' });
      await book.days.record(toDay(2), ada, toTimestamp(172_801));
      await book.days.record(toDay(2), bob, toTimestamp(172_800));
      await book.days.record(toDay(1), bob, toTimestamp(86_400));
      await book.days.record(toDay(1), bob, toTimestamp(86_500));
      await book.provisional.settle(await book.provisional.add(waiting), filing);
      await book.provisional.add({ ...waiting, id: bob });
      expect(await book.export()).to.deep.equal([
        headWithEnd,
        '{"kind":"name","id":"0006547886","first":"Bob","last":""}',
        '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}',
        '{"kind":"entry","day":1,"id":"0006547886","first":86400,"last":86500,"count":2}',
        '{"kind":"entry","day":2,"id":"0006547886","first":172800,"last":172800,"count":1}',
        '{"kind":"entry","day":2,"id":"04A2B3C4D5","first":172801,"last":172801,"count":1}',
        waitingLine.replace(
          /}$/,
          ',"filing":{"day":1,"at":86400,"estimate":{"earliest":5,"latest":86400},"isRecorded":true}}',
        ),
        waitingLine.replace('04A2B3C4D5', '0006547886'),
        end(2, 3, 2),
      ]);
    });

    it('writes the data of the moment of the first line, even if data is written meanwhile', async () => {
      await book.days.record(toDay(1), ada, toTimestamp(86_400));
      await book.provisional.add(waiting);
      const before = await book.export();
      const lines = [];
      for await (const line of book.backup.export()) {
        lines.push(line);
        await book.mapping.put(bob, { first: 'Bob', last: '' });
        await book.days.record(toDay(1), ada, toTimestamp(86_400 + lines.length));
        await book.days.remove(toDay(1));
        await book.provisional.remove(1);
      }
      expect(lines).to.deep.equal(before);
    });

    it('disposes of the snapshot, at the end and when the reader stops', async () => {
      let [taken, disposed] = [0, 0];
      const empty = async function* (): AsyncGenerator<never> {
        // Deliberately empty.
      };
      const snapshots = {
        take: async () => {
          taken++;
          const dispose = async (): Promise<void> => void disposed++;
          return {
            ...{ names: empty, days: empty, details: empty, corrections: empty, provisional: empty },
            ...{ persons: empty, timelines: empty, groups: empty, carried: empty },
            scans: () => Promise.resolve([]),
            [Symbol.asyncDispose]: dispose,
          };
        },
      };
      const backup = new BackupService({ snapshots, mapping: book.mapping, days: book.days });
      for await (const line of backup.export()) expect(line).to.match(/^\{/);
      expect([taken, disposed]).to.deep.equal([1, 1]);
      for await (const line of backup.export()) if (line === headWithEnd) break;
      expect([taken, disposed]).to.deep.equal([2, 2]);
    });
  });

  describe('import', () => {
    it('restores an export into empty stores', async () => {
      const associations = fc.array(fc.tuple(tallyIds, names), { maxLength: 30 });
      const flags = fc.oneof(fc.constant(0), fc.maxSafeNat());
      const scans = fc.array(fc.tuple(anyDay, tallyIds, timestamps, flags), { maxLength: 60 });
      const held = fc.array(provisionalScans, { maxLength: 10 });
      const made = fc.array(corrections, { maxLength: 10 });
      const property = fc.asyncProperty(
        associations,
        scans,
        held,
        made,
        async (namings, recordings, waitings, all) => {
          const original = await new Tallybook().open();
          for (const [id, name] of namings) await original.mapping.put(id, name);
          for (const [day, id, at, bits] of recordings)
            await original.days.record(day, id, at, { flags: bits });
          for (const { filing: noted, ...scan } of waitings) {
            const sequence = await original.provisional.add(scan);
            if (noted !== undefined) await original.provisional.settle(sequence, noted);
          }
          await original.corrections.correct(all);
          const lines = await original.export();
          const copy = await new Tallybook().open();
          const counts = await copy.import(lines);
          expect(await copy.contents()).to.deep.equal(await original.contents());
          expect(await copy.export()).to.deep.equal(lines);
          const { names: named, entries, corrections: corrected, provisional } = counts;
          expect(named + entries + corrected + provisional + 2).to.equal(lines.length);
        },
      );
      await fc.assert(property, { ...runs, numRuns: 100 });
    });

    const backup = [
      head,
      '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}',
      '{"kind":"entry","day":1,"id":"04A2B3C4D5","first":86400,"last":86500,"count":3}',
      '{"kind":"entry","day":2,"id":"04A2B3C4D5","first":172800,"last":172800,"count":1}',
    ];

    it('changes nothing more the second time', async () => {
      await book.import(backup);
      const once = await book.contents();
      expect(await book.import(backup)).to.deep.equal(counts(1, 2));
      expect(await book.contents()).to.deep.equal(once);
    });

    it('adds corrections once, keeps their order, and applies decisions', async () => {
      const made = (madeAt: number, more: object = {}): NewCorrection =>
        addition({ ...forgotten, madeAt: toTimestamp(madeAt), state: 'pending', ...more });
      const original = await new Tallybook().open();
      await original.corrections.correct([made(2), made(1), made(3)]);
      const before = await original.export();
      await original.corrections.decide(2, { state: 'approved', by: 'boss', at: toTimestamp(9) });
      await book.corrections.correct([made(4)]);
      await book.import(before);
      for (const lines of [await original.export(), before]) await book.import(lines);
      const decision = { by: 'boss', at: toTimestamp(9) };
      expect((await book.contents()).corrections).to.deep.equal([
        made(4),
        made(2),
        made(1, { state: 'approved', decision }),
        made(3),
      ]);
    });

    it('refuses corrections where there is no store for them', async () => {
      await book.corrections.correct([addition(forgotten)]);
      const lines = await book.export();
      const { mapping, days } = book;
      const bare = new BackupService({
        snapshots: { take: () => Promise.reject(new Error()) },
        mapping,
        days,
      });
      const { message } = await rejectionOf(
        'INVALID_BACKUP',
        bare.import(() => reading(lines)),
      );
      expect(message).to.equal('the backup has corrections, and there is no store for them here');
    });

    it('merges the backup with the present data', async () => {
      await book.mapping.put(ada, { first: 'Augusta', last: 'King' });
      await book.mapping.put(bob, { first: 'Bob', last: '' });
      await book.days.record(toDay(1), ada, toTimestamp(86_600));
      await book.days.record(toDay(1), bob, toTimestamp(86_450));
      await book.import(backup);
      expect(await book.export()).to.deep.equal([
        headWithEnd,
        '{"kind":"name","id":"0006547886","first":"Bob","last":""}',
        '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}',
        '{"kind":"entry","day":1,"id":"04A2B3C4D5","first":86400,"last":86600,"count":3,"scans":[86400,86500,86600]}',
        '{"kind":"entry","day":1,"id":"0006547886","first":86450,"last":86450,"count":1}',
        '{"kind":"entry","day":2,"id":"04A2B3C4D5","first":172800,"last":172800,"count":1}',
        end(2, 3),
      ]);
    });

    it('adds provisional scans after the present ones, in their order, and only once', async () => {
      await book.provisional.add({ ...waiting, bootId: 'another run' });
      const lines = [
        headWithEnd,
        waitingLine.replace('12.25', '2'),
        waitingLine.replace('}', ',"filing":{"day":1,"at":86400,"isRecorded":false}}'),
        end(0, 0, 2),
      ];
      for (let times = 1; times <= 2; times++) {
        expect(await book.import(lines)).to.deep.equal(counts(0, 0, 2));
        expect(await book.provisional.list()).to.deep.equal([
          { ...waiting, bootId: 'another run', sequence: 1 },
          { ...waiting, monotonicMs: 2, sequence: 2 },
          { ...waiting, sequence: 3, filing: { day: 1, at: 86_400, isRecorded: false } },
        ]);
      }
    });

    it('refuses provisional scans without a store for them, and changes nothing', async () => {
      const { mapping, days } = book;
      const backupService = new BackupService({
        snapshots: new MemorySnapshotSource({ names: new Map(), days: new Map() }),
        mapping,
        days,
      });
      const importing = backupService.import(() => reading([...backup, waitingLine]));
      expect((await rejectionOf('INVALID_BACKUP', importing)).message).to.match(/provisional scans/);
      expect(await book.contents()).to.deep.equal(NOTHING);
      expect(await backupService.import(() => reading(backup))).to.include({ names: 1 });
    });

    it('refuses a backup that was cut short at the end of any line, and changes nothing', async () => {
      const other = await new Tallybook().open();
      await other.import([...backup, waitingLine]);
      const whole = await other.export();
      expect(whole).to.have.length(6);
      for (let length = 0; length < whole.length; length++) {
        const error = await rejectionOf('INVALID_BACKUP', book.import(whole.slice(0, length)));
        expect(error.message).to.match(length === 0 ? /is empty/ : /^line \d: .* was cut short/);
      }
      expect(await book.contents()).to.deep.equal(NOTHING);
      await book.import(whole);
    });

    it('uses the last name of a tag, and merges a day that comes in pieces', async () => {
      const pieces = [
        ...backup,
        '{"kind":"entry","day":1,"id":"04A2B3C4D5","first":86300,"last":86450,"count":2}',
        '{"kind":"name","id":"04A2B3C4D5","first":"Augusta","last":"King"}',
      ];
      await book.import(pieces);
      const { mapping, days } = await book.contents();
      expect(mapping.get(ada)).to.deep.equal({ first: 'Augusta', last: 'King' });
      expect(days[0]?.entries).to.deep.equal([{ id: ada, first: 86_300, last: 86_500, count: 3 }]);
    });

    it('writes each line once, in groups', async () => {
      let [puts, underWay, mostUnderWay] = [0, 0, 0];
      book.mapping.put = async (id, name) => {
        puts++;
        mostUnderWay = Math.max(mostUnderWay, ++underWay);
        await setImmediate();
        underWay--;
        return MemoryMappingStore.prototype.put.call(book.mapping, id, name);
      };
      await book.import([head, ...manyLines(2_000)]);
      expect(puts).to.equal(1_000);
      expect(mostUnderWay).to.be.within(2, 256);
    });

    for (const [what, dayOf] of Object.entries({
      'one large day': () => 1,
      'many days': (n: number) => Math.floor(n / 100),
    })) {
      it(`has at most a few hundred entries of ${what} in memory`, async () => {
        let [underWay, mostUnderWay] = [0, 0];
        book.days.merge = async (day, entries) => {
          mostUnderWay = Math.max(mostUnderWay, (underWay += entries.length));
          await setImmediate();
          underWay -= entries.length;
          return MemoryDayStore.prototype.merge.call(book.days, day, entries);
        };
        const entries = Array.from({ length: 3_000 }, (_, n) => {
          const id = `AB${String(n).padStart(8, '0')}`;
          return `{"kind":"entry","day":${dayOf(n)},"id":"${id}","first":1,"last":1,"count":1}`;
        });
        await book.import([head, ...entries]);
        expect((await book.contents()).days.flatMap((day) => day?.entries ?? [])).to.have.length(3_000);
        expect(mostUnderWay).to.be.within(2, 511);
      });
    }

    it('merges the entries of a day 256 at a time, and those of each day by themselves', async () => {
      const merges: [day: number, entries: number][] = [];
      book.days.merge = async (day, entries) => void merges.push([day, entries.length]);
      const entries = Array.from({ length: 602 }, (_, n) => {
        const [id, day] = [`AB${String(n).padStart(8, '0')}`, n < 600 ? 1 : n];
        return `{"kind":"entry","day":${day},"id":"${id}","first":1,"last":1,"count":1}`;
      });
      await book.import([head, ...entries]);
      expect(merges).to.deep.equal([
        [1, 256],
        [1, 256],
        [1, 88],
        [600, 1],
        [601, 1],
      ]);
    });

    it('changes nothing when line 500 of 1,000 is bad, and names the line', async () => {
      await book.import(backup);
      const before = await book.contents();
      const lines = [head, ...manyLines(999)];
      lines[499] = '{"kind":"entry"';
      const error = await rejectionOf('INVALID_BACKUP', book.import(lines));
      expect(error.message).to.equal('line 500: is not JSON');
      expect(error.details).to.deep.equal({ line: 500 });
      expect(await book.contents()).to.deep.equal(before);
    });

    const refused: readonly [what: string, lines: readonly string[], message: RegExp][] = [
      ['an empty backup', [], /^the backup is empty/],
      ['a backup without its head', backup.slice(1), /^line 1: must be \{"kind":"tallybook"/],
      ['another version', ['{"kind":"tallybook","version":2}'], /^line 1: has format version 2/],
      ['a second head', [...backup, head], /^line 5: is a second head/],
      ['two backups in one', [...backup, ...backup], /^line 5: is a second head/],
      ['an empty line', [...backup, ''], /^line 5: is not JSON/],
      ['a line cut short', [...backup.slice(0, 3), (backup[3] ?? '').slice(0, -2)], /^line 4: is not JSON/],
      ['an end that counts another name', [...backup, end(2, 2)], /^line 5: says 2 .* names; there are 1/],
      ['an end that counts fewer entries', [...backup, end(1, 1)], /says 1 .* entries; there are 2/],
      ['an end that counts a scan', [...backup, end(1, 2, 1)], /says 1 .* provisional; there are 0/],
      ['a line after the end', [...backup, end(1, 2), end(1, 2)], /^line 6: comes after the end/],
      [
        'a line too long',
        [...backup, ' '.repeat(BACKUP_LINE_MAX_LENGTH + 1)],
        /^line 5: must have at most 65536/,
      ],
    ];
    for (const [what, lines, message] of refused) {
      it(`refuses ${what} and changes nothing`, async () => {
        const error = await rejectionOf('INVALID_BACKUP', book.import(lines));
        expect(error.message).to.match(message);
        expect(await book.contents()).to.deep.equal(NOTHING);
      });
    }

    it('changes nothing when reading is interrupted while the lines are checked', async () => {
      const importing = book.backup.import(() => interrupted(backup, 3));
      expect(await failureOf(importing)).to.have.property('message', 'unplugged after 3 lines');
      expect(await book.contents()).to.deep.equal(NOTHING);
    });

    it('has the same result after an interruption during writing', async () => {
      const lines = [head, ...manyLines(1_000)];
      let readings = 0;
      const importing = book.backup.import(() =>
        ++readings === 1 ? reading(lines) : interrupted(lines, 700),
      );
      expect(await failureOf(importing)).to.have.property('message', 'unplugged after 700 lines');
      await book.import(lines);
      const other = await new Tallybook().open();
      await other.import(lines);
      expect(await book.contents()).to.deep.equal(await other.contents());
    });

    it('checks the lines again while it writes', async () => {
      let readings = 0;
      const changed = [...backup.slice(0, 2), '{"kind":"scan"}'];
      const running = book.backup.import(() => reading(++readings === 1 ? backup : changed));
      expect((await rejectionOf('INVALID_BACKUP', running)).details).to.deep.equal({ line: 3 });
    });

    it('rejects as its stores do', async () => {
      await book.mapping.close();
      await rejectionOf('NOT_OPEN', book.import(backup));
    });
  });
});

describe('joinLines', () => {
  it('ends every line, and gives many lines at a time', async () => {
    const lines = [head, ...manyLines(5_000)];
    const pieces = await listOf(joinLines(reading(lines)));
    expect(pieces.join('')).to.equal(lines.map((line) => `${line}\n`).join(''));
    expect(pieces).to.have.length.within(2, 20);
    for (const piece of pieces) expect(piece.length).to.be.below(70_000);
  });

  it('gives a piece as soon as it has 64 KiB', async () => {
    const pieces = await listOf(joinLines(reading(['a'.repeat(65_535), 'b', 'c'])));
    expect(pieces.map(({ length }) => length)).to.deep.equal([65_536, 4]);
  });

  it('gives nothing for nothing', async () => {
    expect(await listOf(joinLines(reading([])))).to.deep.equal([]);
  });
});

/** Names and entries in turn, each of another tag and day. */
function manyLines(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const id = Math.floor(n / 2)
      .toString(16)
      .padStart(6, '0');
    return n % 2 === 0
      ? JSON.stringify({ kind: 'name', id, first: `No ${n}`, last: '' })
      : JSON.stringify({ kind: 'entry', day: n, id, first: n * 86_400, last: n * 86_400, count: 1 });
  });
}

async function* interrupted(lines: readonly string[], after: number): AsyncGenerator<string> {
  yield* lines.slice(0, after);
  throw new Error(`unplugged after ${after} lines`);
}
