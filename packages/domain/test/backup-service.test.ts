import { setImmediate } from 'node:timers/promises';
import {
  BACKUP_LINE_MAX_LENGTH,
  BackupService,
  parseTallyId,
  toDay,
  toTimestamp,
  type AttendanceDay,
  type Mapping,
} from '@tallybook/domain';
import { MemoryDayStore, MemoryMappingStore } from '@tallybook/testing';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { days as anyDay, names, runs, tallyIds, timestamps } from './arbitraries.js';
import { rejectionOf } from './throws.js';

const head = '{"kind":"tallybook","version":1}';
const ada = parseTallyId('04A2B3C4D5');
const bob = parseTallyId('0006547886');

/** A pair of stores, what they hold, and the service over them. */
class Tallybook {
  readonly mapping = new MemoryMappingStore();
  readonly days = new MemoryDayStore();
  readonly backup = new BackupService(this.mapping, this.days);

  async open(): Promise<this> {
    await Promise.all([this.mapping.open(), this.days.open()]);
    return this;
  }

  async contents(): Promise<{ mapping: Mapping; days: readonly (AttendanceDay | undefined)[] }> {
    const days = await this.days.list(toDay(0), toDay(4_294_967_295));
    return {
      mapping: await this.mapping.read(),
      days: await Promise.all(days.map((day) => this.days.load(day))),
    };
  }

  async export(): Promise<string[]> {
    const lines = [];
    for await (const line of this.backup.export()) lines.push(line);
    return lines;
  }

  import(lines: readonly string[]): ReturnType<BackupService['import']> {
    return this.backup.import(() => reading(lines));
  }
}

async function* reading(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

describe('BackupService', () => {
  let book: Tallybook;

  beforeEach(async () => {
    book = await new Tallybook().open();
  });

  describe('export', () => {
    it('writes the head alone when there is nothing', async () => {
      expect(await book.export()).to.deep.equal([head]);
    });

    it('writes the names ascending by id, then the entries by day and first scan', async () => {
      await book.mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
      await book.mapping.put(bob, { first: 'Bob', last: '' });
      await book.days.record(toDay(2), ada, toTimestamp(172_801));
      await book.days.record(toDay(2), bob, toTimestamp(172_800));
      await book.days.record(toDay(1), bob, toTimestamp(86_400));
      await book.days.record(toDay(1), bob, toTimestamp(86_500));
      expect(await book.export()).to.deep.equal([
        head,
        '{"kind":"name","id":"0006547886","first":"Bob","last":""}',
        '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}',
        '{"kind":"entry","day":1,"id":"0006547886","first":86400,"last":86500,"count":2}',
        '{"kind":"entry","day":2,"id":"0006547886","first":172800,"last":172800,"count":1}',
        '{"kind":"entry","day":2,"id":"04A2B3C4D5","first":172801,"last":172801,"count":1}',
      ]);
    });

    it('leaves out a day that is removed meanwhile', async () => {
      await book.days.record(toDay(1), ada, toTimestamp(86_400));
      await book.days.record(toDay(2), ada, toTimestamp(172_800));
      const lines = [];
      for await (const line of book.backup.export()) {
        lines.push(line);
        if (lines.length === 2) await book.days.remove(toDay(2));
      }
      expect(lines).to.have.length(2);
    });

    it('rejects as its stores do', async () => {
      await book.days.close();
      await rejectionOf('NOT_OPEN', book.export());
    });
  });

  describe('import', () => {
    it('brings back what was exported into empty stores', async () => {
      const associations = fc.array(fc.tuple(tallyIds, names), { maxLength: 30 });
      const scans = fc.array(fc.tuple(anyDay, tallyIds, timestamps), { maxLength: 60 });
      const property = fc.asyncProperty(associations, scans, async (namings, recordings) => {
        const original = await new Tallybook().open();
        for (const [id, name] of namings) await original.mapping.put(id, name);
        for (const [day, id, at] of recordings) await original.days.record(day, id, at);
        const lines = await original.export();
        const copy = await new Tallybook().open();
        const counts = await copy.import(lines);
        expect(await copy.contents()).to.deep.equal(await original.contents());
        expect(await copy.export()).to.deep.equal(lines);
        expect(counts.names + counts.entries + 1).to.equal(lines.length);
      });
      await fc.assert(property, { ...runs, numRuns: 100 });
    });

    const backup = [
      head,
      '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}',
      '{"kind":"entry","day":1,"id":"04A2B3C4D5","first":86400,"last":86500,"count":3}',
      '{"kind":"entry","day":2,"id":"04A2B3C4D5","first":172800,"last":172800,"count":1}',
    ];

    it('says what the backup holds', async () => {
      expect(await book.import(backup)).to.deep.equal({ names: 1, entries: 2 });
      expect(await book.import([head])).to.deep.equal({ names: 0, entries: 0 });
    });

    it('changes nothing more the second time', async () => {
      await book.import(backup);
      const once = await book.contents();
      expect(await book.import(backup)).to.deep.equal({ names: 1, entries: 2 });
      expect(await book.contents()).to.deep.equal(once);
    });

    it('joins the backup into what is there', async () => {
      await book.mapping.put(ada, { first: 'Augusta', last: 'King' });
      await book.mapping.put(bob, { first: 'Bob', last: '' });
      await book.days.record(toDay(1), ada, toTimestamp(86_600));
      await book.days.record(toDay(1), bob, toTimestamp(86_450));
      await book.import(backup);
      expect(await book.export()).to.deep.equal([
        head,
        '{"kind":"name","id":"0006547886","first":"Bob","last":""}',
        '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}',
        '{"kind":"entry","day":1,"id":"04A2B3C4D5","first":86400,"last":86600,"count":3}',
        '{"kind":"entry","day":1,"id":"0006547886","first":86450,"last":86450,"count":1}',
        '{"kind":"entry","day":2,"id":"04A2B3C4D5","first":172800,"last":172800,"count":1}',
      ]);
    });

    it('lets the last name of a tag win, and merges a day that comes in pieces', async () => {
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

    it('brings back more than it writes at a time', async () => {
      const lines = [head, ...manyLines(1_000)];
      expect(await book.import(lines)).to.deep.equal({ names: 500, entries: 500 });
      expect((await book.mapping.read()).size).to.equal(500);
      expect((await book.contents()).days).to.have.length(500);
    });

    it('writes each line once, many at a time but not all', async () => {
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
      [
        'a line too long',
        [...backup, ' '.repeat(BACKUP_LINE_MAX_LENGTH + 1)],
        /^line 5: must have at most 16384/,
      ],
    ];
    for (const [what, lines, message] of refused) {
      it(`refuses ${what} and changes nothing`, async () => {
        const error = await rejectionOf('INVALID_BACKUP', book.import(lines));
        expect(error.message).to.match(message);
        expect(await book.contents()).to.deep.equal({ mapping: new Map(), days: [] });
      });
    }

    it('changes nothing when reading is interrupted while the lines are checked', async () => {
      const failure: unknown = await book.backup
        .import(() => interrupted(backup, 3))
        .catch((error: unknown) => error);
      expect(failure).to.have.property('message', 'unplugged after 3 lines');
      expect(await book.contents()).to.deep.equal({ mapping: new Map(), days: [] });
    });

    it('comes to the same after an interruption while it writes', async () => {
      const lines = [head, ...manyLines(1_000)];
      let readings = 0;
      const failure: unknown = await book.backup
        .import(() => (++readings === 1 ? reading(lines) : interrupted(lines, 700)))
        .catch((error: unknown) => error);
      expect(failure).to.have.property('message', 'unplugged after 700 lines');
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

/** Names and entries in turn, of as many tags and days. */
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
