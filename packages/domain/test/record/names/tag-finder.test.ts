import {
  Calendar,
  parseTallyId,
  TallybookError,
  Timekeeper,
  toDay,
  toTimestamp,
  type IdFormatOptions,
  type Snapshot,
} from '@tallybook/domain';
import {
  NAME_LIST_MAX_LINES,
  PeopleImport,
  TagFinder,
  TypedIds,
  type ImportReport,
  type ListRow,
} from '@tallybook/domain/record';
import {
  ManualClock,
  MemoryDayStore,
  MemoryJournal,
  MemoryMappingStore,
  noChanges,
} from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf, thrownBy } from '../../fixtures/throws.js';
import { reading } from '../../fixtures/streams.js';

const DAY = toDay(20_413);
const anna = { first: 'Anna', last: 'Beispiel' };
const dec10: IdFormatOptions = { spelling: 'dec10' };
const dec: IdFormatOptions = { spelling: 'dec' };

const idsOf = (rows: ImportReport['rows']): readonly string[] =>
  rows.flatMap(({ tags }) => tags.map(({ id }) => id));

describe('TagFinder', () => {
  let days: MemoryDayStore;
  let mapping: MemoryMappingStore;
  let journal: MemoryJournal;

  beforeEach(async () => {
    journal = new MemoryJournal(noChanges(), { limit: 10_000 });
    days = new MemoryDayStore(new Map(), journal);
    mapping = new MemoryMappingStore();
    for (const part of [days, mapping, journal]) await part.open();
  });

  afterEach(async () => {
    for (const part of [days, mapping, journal]) await part.close();
  });

  function finder(...formats: readonly IdFormatOptions[]): TagFinder {
    return new TagFinder({ typed: new TypedIds(formats), mapping, days, journal });
  }

  async function tap(id: string, day = DAY, reader = 'door'): Promise<void> {
    await days.record(day, parseTallyId(id), toTimestamp(day * 86_400 + 60), { reader });
  }

  it('reads an id at once where one reading remains', () => {
    expect(finder().find('0563537489')).to.equal('0563537489');
    expect(finder(dec10).find('2196E651')).to.equal('2196E651');
    expect(finder(dec10).find('0563537489', 'hex')).to.equal('0563537489');
    thrownBy('INVALID_TALLY_ID', () => finder().find('0563537489A'));
    thrownBy('INVALID_OPTION', () => finder().find('0563537489', 'dez'));
  });

  it('takes the known one of two tags: that with a name, or with a scan on any day', async () => {
    await rejectionOf('AMBIGUOUS_TALLY_ID', Promise.resolve(finder(dec).find('12345678')));
    await tap('12345678', toDay(11_000));
    expect(await finder(dec).find('12345678')).to.equal('12345678');
    await mapping.put(parseTallyId('00BC614E'), anna);
    await rejectionOf('AMBIGUOUS_TALLY_ID', Promise.resolve(finder(dec).find('12345678')));
  });

  it('names both readings where neither or both tags are known', async () => {
    const error = await rejectionOf('AMBIGUOUS_TALLY_ID', Promise.resolve(finder(dec).find('12345678')));
    expect(error.message).to.equal(
      'the id can be read in several ways: as 00BC614E (format=dec) or 12345678 (format=hex); give the format, or the id in hex with format=hex',
    );
  });

  it('refuses a number that no reader delivers, unless an old tag has it', async () => {
    await rejectionOf('INVALID_TALLY_ID', Promise.resolve(finder(dec10).find('9999999999')));
    await tap('9999999999');
    expect(await finder(dec10).find('9999999999')).to.equal('9999999999');
  });

  it('shows what is known of a tag: its name, and when and where it was read last', async () => {
    await tap('2196E651', toDay(DAY - 1), 'desk');
    await tap('2196E651');
    const [day, at] = [DAY, DAY * 86_400 + 60];
    expect(await finder(dec10).look('0563537489')).to.deep.equal([
      { id: '2196E651', format: 'dec10', lastSeen: { day, at, reader: 'door' } },
    ]);
    await mapping.put(parseTallyId('12345678'), anna);
    await tap('00BC614E', toDay(DAY - 1));
    expect(await finder(dec).look('12345678')).to.deep.equal([
      { id: '00BC614E', format: 'dec', lastSeen: { day: day - 1, at: at - 86_400, reader: 'door' } },
      { id: '12345678', format: 'hex', name: anna, person: 'tag-12345678' },
    ]);
    expect(await finder().look('04A2B3C4')).to.deep.equal([{ id: '04A2B3C4', format: 'hex' }]);
    await rejectionOf('INVALID_TALLY_ID', finder(dec10).look('9999999999'));
  });

  it('finds many tags in one walk over the days', async () => {
    const ids = ['0A0A0A', '0B0B0B', '0C0C0C', '0D0D0D', '0E0E0E'].map(parseTallyId);
    for (const [index, id] of ids.entries()) await tap(id, toDay(DAY - index));
    const load = days.load.bind(days);
    let loads = 0;
    days.load = (day) => {
      loads++;
      return load(day);
    };
    const known = await finder(dec10).known(ids);
    expect([...known.values()].map(({ lastSeen }) => lastSeen?.day)).to.have.members(
      ids.map((_, n) => DAY - n),
    );
    expect(loads).to.be.at.most(ids.length);
  });

  it('knows tags that only a correction or a provisional scan mentions, since they are answered too', async () => {
    const mentioned = () => Promise.resolve([parseTallyId('12345678')]);
    const parts = { typed: new TypedIds([dec]), mapping, days, mentioned };
    expect(await new TagFinder(parts).find('12345678')).to.equal('12345678');
  });

  it('leaves out a damaged day, and rejects as the stores do otherwise', async () => {
    await tap('2196E651');
    for (const code of ['STORE_CORRUPT', 'STORE_READ_FAILED'] as const) {
      days.scans = () => Promise.reject(new TallybookError(code, 'torn'));
      days.load = () => Promise.reject(new TallybookError(code, 'torn'));
      for (const ids of [['2196E651'], ['2196E651', '0A0A0A', '0B0B0B', '0C0C0C', '0D0D0D']]) {
        const looking = finder(dec10).known(ids.map(parseTallyId));
        if (code === 'STORE_CORRUPT') expect((await looking).size).to.equal(0);
        else await rejectionOf(code, looking);
      }
    }
  });

  /** Imports a list into a store without persons. Each line has the id and the same name. */
  function importList(
    ids: readonly string[],
    formats: readonly IdFormatOptions[],
    options: { readonly isDryRun?: boolean; readonly format?: string } = {},
  ): Promise<ImportReport> {
    const rows = ids.map((id, index): ListRow => ({ line: index + 1, tags: [id], name: anna }));
    const importer = new PeopleImport({
      ...{ mapping, snapshots: { take: snapshot } },
      ...{ timekeeper: new Timekeeper(new ManualClock()), calendar: new Calendar({}) },
      pause: () => Promise.resolve(),
    });
    return importer.import(reading(rows), { ...options, tags: finder(...formats) });
  }

  /** The names of the moment, and nothing else. */
  async function snapshot(): Promise<Snapshot> {
    const read = await mapping.read();
    const none = () => reading([]);
    const parts = { names: () => reading(read), persons: none, timelines: none, groups: none };
    return { ...parts, [Symbol.asyncDispose]: () => Promise.resolve() } as unknown as Snapshot;
  }

  describe('with a list of names', () => {
    it('names the tags whose numbers are printed on the cards', async () => {
      await tap('2196E651');
      const { rows, refused } = await importList(['0563537489', '0009351929'], [dec10], {
        isDryRun: true,
      });
      expect(refused).to.deep.equal([]);
      const lastSeen = { day: DAY, at: DAY * 86_400 + 60, reader: 'door' };
      expect(rows.map(({ line, tags }) => [line, ...tags])).to.deep.equal([
        [1, { id: '2196E651', text: '0563537489', format: 'dec10', lastSeen }],
        [2, { id: '008EB2F9', text: '0009351929', format: 'dec10' }],
      ]);
      await importList(['0563537489', '0009351929'], [dec10]);
      expect([...(await mapping.read()).keys()]).to.deep.equal(['008EB2F9', '2196E651']);
    });

    it('reads numbers that lost their leading zeros, and asks about those that are as long as an id', async () => {
      const { refused, rows } = await importList(['9351929', '63537489', '63537489'], [dec10], {
        isDryRun: true,
      });
      expect(idsOf(rows)).to.deep.equal(['008EB2F9']);
      expect(
        refused.map(({ line, code, readings }) => [line, code, readings?.map(({ id }) => id)]),
      ).to.deep.equal([
        [2, 'AMBIGUOUS_TALLY_ID', ['63537489', '03C98151']],
        [3, 'AMBIGUOUS_TALLY_ID', ['63537489', '03C98151']],
      ]);
      const { new: added } = await importList(['9351929', '63537489'], [dec10], { format: 'dec10' });
      expect(added).to.equal(2);
      expect([...(await mapping.read()).keys()]).to.deep.equal(['008EB2F9', '03C98151']);
    });

    it('takes the tag that was read before, for numbers without their leading zeros too', async () => {
      await tap('03C98151');
      const { refused, rows } = await importList(['9351929', '63537489'], [dec10], { isDryRun: true });
      expect(refused).to.deep.equal([]);
      expect(idsOf(rows)).to.deep.equal(['008EB2F9', '03C98151']);
    });

    it('takes ids as the service answers them, in a list without short numbers', async () => {
      await importList(['63537489', '2196E651'], [dec10]);
      expect([...(await mapping.read()).keys()]).to.deep.equal(['2196E651', '63537489']);
    });

    it('writes nothing if the id of a line can be read in two ways', async () => {
      const { refused, new: added } = await importList(['6547886', '12345678'], [dec]);
      expect([added, refused.map(({ line, code }) => [line, code])]).to.deep.equal([
        0,
        [[2, 'AMBIGUOUS_TALLY_ID']],
      ]);
      expect((await mapping.read()).size).to.equal(0);
    });

    it('reports in a dry run with hex readers what it always reported', async () => {
      const { rows } = await importList(['0563537489'], [], { isDryRun: true });
      expect(rows.map(({ tags }) => tags)).to.deep.equal([[{ id: '0563537489' }]]);
    });

    it('asks the stores for nothing while all ids can be read in one way', async () => {
      days.list = () => Promise.reject(new Error('asked'));
      await importList(['2196E651', '9351929'], [dec10]);
      await importList(['0563537489'], []);
      await importList(['0563537489'], [dec10], { format: 'dec10' });
    });

    it('rejects an unknown format before it reads a line', async () => {
      await rejectionOf('INVALID_OPTION', importList(['!'], [dec10], { format: 'dez10' }));
    });

    it(`reads ${NAME_LIST_MAX_LINES} printed numbers in one walk over the days`, async () => {
      await tap('2196E651');
      const list = days.list.bind(days);
      let walks = 0;
      days.list = (from, to) => {
        walks++;
        return list(from, to);
      };
      const numbers = Array.from({ length: NAME_LIST_MAX_LINES }, (_, n) => String(n + 1).padStart(10, '0'));
      const { new: added, refused } = await importList(numbers, [dec10]);
      expect({ added, refused, walks }).to.deep.equal({ added: NAME_LIST_MAX_LINES, refused: [], walks: 1 });
    });
  });
});
