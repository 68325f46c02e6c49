import {
  Calendar,
  implicitPerson,
  parseTallyId,
  PeopleService,
  Timekeeper,
  toDay,
  toTimestamp,
} from '@tallybook/domain';
import { RangeService } from '@tallybook/domain/record';
import { ManualClock, MemoryStorage } from '@tallybook/testing';
import { expect } from 'chai';
import { dataTexts, entriesSheet, tableSheet, textsOf, type Sheet, type Texts } from '../src/index.js';
import { collect } from './sheets.js';
import { ada, bob } from '../../testing/test/fixtures/known-values.js';

const adasOther = parseTallyId('0011223344');
const nobody = parseTallyId('010203');
const at = (day: number, seconds: number): ReturnType<typeof toTimestamp> =>
  toTimestamp(day * 86_400 + seconds);
const wording = { texts: textsOf.en, zone: 'Europe/Berlin' };

/** Two days of three people: Ada has a number and two tags, and one tag has no name. */
async function start(): Promise<RangeService> {
  const storage = new MemoryStorage();
  const { mapping, days, people, snapshots } = storage;
  await storage.open();
  await mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
  await mapping.put(bob, { first: 'Bob', last: '' });
  const timekeeper = new Timekeeper(new ManualClock());
  const persons = new PeopleService({ people, timekeeper, calendar: new Calendar() });
  await persons.correct(implicitPerson(ada), { number: '17' });
  await persons.act(adasOther, { act: 'give', person: implicitPerson(ada) });
  for (const [day, id, seconds] of [
    [20_411, ada, 30],
    [20_411, adasOther, 10],
    [20_411, nobody, 50],
    [20_412, ada, 20],
    [20_412, ada, 25],
  ] as const) {
    await days.record(toDay(day), id, at(day, seconds));
  }
  return new RangeService({ mapping, days, people, snapshots });
}

async function sheetsOf(texts: Texts = wording.texts) {
  const ranges = await start();
  await using range = await ranges.open(toDay(0), toDay(3_000));
  await using filled = await ranges.open(toDay(20_000), toDay(20_500));
  const read = async (sheet: Sheet) => ({ ...sheet, rows: await collect(sheet.rows) });
  const noPause = (): Promise<void> => Promise.resolve();
  return {
    empty: await read(tableSheet(await range.table(noPause), { ...wording, texts })),
    table: await read(tableSheet(await filled.table(noPause), { ...wording, texts })),
    entries: await read(entriesSheet(filled.entries(), { ...wording, texts })),
  };
}

const titlesOf = ({ columns }: Pick<Sheet, 'columns'>): readonly string[] =>
  columns.map(({ title }) => title);

describe('The sheet of a table', () => {
  it('has a row for each person: name, number, id, groups, tags, number of days, and the first scan of each day', async () => {
    const { table } = await sheetsOf();
    expect(titlesOf(table)).to.deep.equal([
      ...['Last name', 'First name', 'Number', 'Person', 'Groups', 'Tags', 'Days (times: Europe/Berlin)'],
      ...['2025-11-19', '2025-11-20'],
    ]);
    expect(table.rows).to.deep.equal([
      ['', 'Bob', undefined, implicitPerson(bob), undefined, [bob], 0, undefined, undefined],
      [
        ...['Lovelace', 'Ada', '17', implicitPerson(ada), undefined, [adasOther, ada], 2],
        ...[20_411, 20_412].map((day) => ({ at: at(day, day === 20_411 ? 10 : 20), day })),
      ],
      [...new Array<undefined>(5), [nobody], 1, { at: at(20_411, 50), day: 20_411 }, undefined],
    ]);
    expect(table).to.include({ name: 'Attendance', frozenColumns: 7 });
  });

  it('has columns that are as wide as their content', async () => {
    const { table, entries } = await sheetsOf();
    const shapes = ({ columns }: Pick<Sheet, 'columns'>): readonly string[] =>
      columns.map(({ kind, width }) => `${kind} ${width}`);
    expect(shapes(table)).to.deep.equal([
      ...[
        'text 20',
        'text 16',
        'text 10',
        'text 17',
        'text 16',
        'text 17',
        `number ${'Days (times: Europe/Berlin)'.length + 2}`,
      ],
      ...['time 11', 'time 11'],
    ]);
    expect(shapes(entries)).to.deep.equal([
      ...['date 12', 'text 20', 'text 16', 'text 10', 'text 17', 'text 16', 'text 17'],
      ...[
        `time ${'First scan (Europe/Berlin)'.length + 2}`,
        `time ${'Last scan (Europe/Berlin)'.length + 2}`,
      ],
      ...['number 10', 'text 10'],
    ]);
  });

  it('has only people with a name, and no days, if nothing was recorded', async () => {
    const { empty } = await sheetsOf();
    expect([empty.columns.length, empty.rows.map((row) => row[1])]).to.deep.equal([7, ['Bob', 'Ada']]);
  });
});

describe('The sheet of entries', () => {
  it('has a row for each tag on each day, with or without a name', async () => {
    const { entries } = await sheetsOf();
    expect(titlesOf(entries)).to.deep.equal([
      ...['Date', 'Last name', 'First name', 'Number', 'Person', 'Groups', 'Tag'],
      ...['First scan (Europe/Berlin)', 'Last scan (Europe/Berlin)', 'Scans', 'Corrected'],
    ]);
    const times = (day: number, first: number, last: number) => [
      { at: at(day, first), day },
      { at: at(day, last), day },
    ];
    expect(entries).to.include({ name: 'Attendance', frozenColumns: 0 });
    expect(entries.rows).to.deep.equal([
      [
        20_411,
        'Lovelace',
        'Ada',
        '17',
        implicitPerson(ada),
        undefined,
        [adasOther],
        ...times(20_411, 10, 10),
        1,
        undefined,
      ],
      [
        20_411,
        'Lovelace',
        'Ada',
        '17',
        implicitPerson(ada),
        undefined,
        [ada],
        ...times(20_411, 30, 30),
        1,
        undefined,
      ],
      [20_411, ...new Array<undefined>(5), [nobody], ...times(20_411, 50, 50), 1, undefined],
      [
        20_412,
        'Lovelace',
        'Ada',
        '17',
        implicitPerson(ada),
        undefined,
        [ada],
        ...times(20_412, 20, 25),
        2,
        undefined,
      ],
    ]);
  });
});

describe('A corrected entry', () => {
  it('is marked in the last column, in the language of the sheet', async () => {
    const entry = { id: ada, first: at(20_411, 10), last: at(20_411, 10), count: 1, day: toDay(20_411) };
    const said: unknown[] = [];
    for (const texts of [textsOf.en, textsOf.de, dataTexts]) {
      const entries = async function* () {
        yield await Promise.resolve({
          ...entry,
          name: undefined,
          number: undefined,
          groups: [],
          isCorrected: true as const,
        });
      };
      for (const row of await collect(entriesSheet(entries(), { ...wording, texts }).rows))
        said.push(row.at(-1));
    }
    expect(said).to.deep.equal(['yes', 'ja', 'yes']);
  });
});

describe('The titles of a sheet', () => {
  it('are German, or names for programs, on request', async () => {
    const german = await sheetsOf(textsOf.de);
    expect(titlesOf(german.table).slice(0, 7)).to.deep.equal([
      ...['Nachname', 'Vorname', 'Nummer', 'Person', 'Gruppen', 'Chips', 'Tage (Zeiten: Europe/Berlin)'],
    ]);
    expect(titlesOf(german.entries)).to.deep.equal([
      ...['Datum', 'Nachname', 'Vorname', 'Nummer', 'Person', 'Gruppen', 'Chip'],
      ...['Erste Buchung (Europe/Berlin)', 'Letzte Buchung (Europe/Berlin)', 'Buchungen', 'Korrigiert'],
    ]);
    expect([german.table.name, german.entries.name]).to.deep.equal(['Anwesenheit', 'Anwesenheit']);
    const data = await sheetsOf(dataTexts);
    expect([data.table.name, data.entries.name]).to.deep.equal(['attendance', 'attendance']);
    expect(titlesOf(data.table).slice(0, 7)).to.deep.equal([
      ...['last', 'first', 'number', 'person', 'groups', 'ids', 'days'],
    ]);
    expect(titlesOf(data.entries)).to.deep.equal([
      ...['date', 'last', 'first', 'number', 'person', 'groups', 'id'],
      ...['first_scan', 'last_scan', 'scans', 'corrected'],
    ]);
  });
});
