import { toDay } from '@tallybook/domain';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { writeCsv, type CsvOptions, type Sheet } from '../src/index.js';
import { berlin, collect, dayOf, moment, sheetOf, tag, textSheet } from './sheets.js';

const usual: CsvOptions = { delimiter: 'comma', bom: false, profile: 'spreadsheet', zone: 'UTC' };

async function csvOf(sheet: Sheet, options: Partial<CsvOptions> = {}): Promise<string> {
  return (await collect(writeCsv(sheet, { ...usual, ...options }))).join('');
}

/** The lines below the heading. */
async function linesOf(sheet: Sheet, options: Partial<CsvOptions> = {}): Promise<readonly string[]> {
  return (await csvOf(sheet, options)).split('\r\n').slice(1, -1);
}

describe('CSV', () => {
  it('has titles, then rows, text in quotes, each line with CR and LF, and empty cells for missing values', async () => {
    const sheet = sheetOf(['Ada', 2, dayOf('2026-11-22'), moment('2026-11-22T08:15:00Z')], [undefined, 0]);
    expect(await csvOf(sheet)).to.equal(
      '"Text","Number","Date","Time"\r\n"Ada",2,2026-11-22,08:15:00\r\n,0\r\n',
    );
  });

  it('has all tags of a person in one cell, with a comma and a space between them', async () => {
    const several = [...tag('0A0B0C'), ...tag('1A1B1C')];
    expect(await linesOf(sheetOf([several]))).to.deep.equal(['"0A-0B-0C, 1A-1B-1C"']);
    expect(await linesOf(sheetOf([several]), { profile: 'data' })).to.deep.equal(['"0A0B0C, 1A1B1C"']);
  });

  it('has exactly two digits for each part of a time', async () => {
    const times = ['2026-10-10T10:10:10Z', '2026-11-09T09:09:09Z'].map((iso) => [moment(iso)]);
    expect(await linesOf(sheetOf(...times))).to.deep.equal(['10:10:10', '09:09:09']);
    const written = ['2026-10-10T10:10:10Z', '2026-11-09T09:09:09Z'];
    expect(await linesOf(sheetOf(...times), { profile: 'data' })).to.deep.equal(
      written.map((iso) => iso.replace('Z', '+00:00')),
    );
  });

  it('has the requested separator, and a byte order mark on request', async () => {
    expect(await csvOf(sheetOf(), { delimiter: 'semicolon', bom: true })).to.equal(
      '\uFEFF"Text";"Number";"Date";"Time"\r\n',
    );
    expect(await csvOf(sheetOf(), { delimiter: 'tab' })).to.match(/^"Text"\t"Number"\t/);
  });

  it('is read back unchanged, for every text', async () => {
    const texts = ['a,b', 'a;b', 'say "hi"', 'two\r\nlines', '', ' space ', '😀', '"'];
    for (const delimiter of ['comma', 'semicolon', 'tab'] as const) {
      const csv = await csvOf(textSheet(...texts), { delimiter, profile: 'data', bom: true });
      const rows: unknown = parse(csv, {
        bom: true,
        delimiter: { comma: ',', semicolon: ';', tab: '\t' }[delimiter],
      });
      expect(rows).to.deep.equal([['Text'], ...texts.map((text) => [text])]);
    }
  });

  it('comes in pieces, so that a large one is never in memory as a whole', async () => {
    const texts = Array.from({ length: 20_000 }, (_, n) => `Name ${n}`);
    const pieces = await collect(writeCsv(textSheet(...texts), usual));
    expect(pieces.length).to.be.above(10);
    for (const piece of pieces) expect(piece.length).to.be.below(20_000);
    // But not each line by itself, which would be slow.
    expect(pieces.length).to.be.below(100);
    expect(pieces.join('').split('\r\n')).to.have.length(20_002);
  });

  it('writes the number of a day that no calendar of JavaScript knows', async () => {
    const last = toDay(4_294_967_295);
    expect(await linesOf(sheetOf([undefined, undefined, last]))).to.deep.equal([',,day 4294967295']);
  });
});

describe('CSV for a spreadsheet', () => {
  it('has no text that a spreadsheet reads as a formula', async () => {
    expect(await linesOf(textSheet('=1+1', 'Ada', ' @x'))).to.deep.equal([`"'=1+1"`, '"Ada"', `"' @x"`]);
  });

  it('has no id that a spreadsheet reads as a number', async () => {
    const sheet = sheetOf([tag('0011223344')], [tag('12E456')], [[...tag('010203'), ...tag('0405060708')]]);
    expect(await linesOf(sheet)).to.deep.equal([
      '"00-11-22-33-44"',
      '"12-E4-56"',
      '"01-02-03, 04-05-06-07-08"',
    ]);
  });

  it('has no id that a spreadsheet reads as a date', async () => {
    const sheet = sheetOf([tag('010203')], [tag('01020A')], [tag('01020304')]);
    expect(await linesOf(sheet)).to.deep.equal([`"'01-02-03"`, '"01-02-0A"', '"01-02-03-04"']);
    expect(await linesOf(sheetOf([tag('010203')]), { profile: 'data' })).to.deep.equal(['"010203"']);
  });

  it('has local times of the zone, summer and winter, with the date if it is not that of the day', async () => {
    const sheet = sheetOf(
      ['', 1, 0, moment('2026-07-01T06:15:00Z')],
      ['', 1, 0, moment('2026-12-01T06:15:00Z')],
      // The day start is 04:00.
      ['', 1, 0, moment('2026-12-01T23:30:00Z')],
      ['', 1, 0, moment('2026-12-01T22:59:59Z', '2026-12-01')],
    );
    expect((await linesOf(sheet, { zone: berlin })).map((line) => line.split(',').at(-1))).to.deep.equal([
      '08:15:00',
      '07:15:00',
      '2026-12-02 00:30:00',
      '23:59:59',
    ]);
  });
});

describe('CSV for programs', () => {
  it('has unchanged text and ids, and times with their offset', async () => {
    const sheet = sheetOf(
      ['=1+1', 1, dayOf('2026-07-01'), moment('2026-07-01T06:15:00Z')],
      [tag('0011223344'), 1, 0, moment('2026-12-01T06:15:00Z')],
    );
    expect(await linesOf(sheet, { zone: berlin, profile: 'data' })).to.deep.equal([
      '"=1+1",1,2026-07-01,2026-07-01T08:15:00+02:00',
      '"0011223344",1,1970-01-01,2026-12-01T07:15:00+01:00',
    ]);
  });

  it('distinguishes the repeated hour of a night in autumn', async () => {
    const sheet = sheetOf(
      ['', 1, 0, moment('2026-10-25T00:30:00Z')],
      ['', 1, 0, moment('2026-10-25T01:30:00Z')],
    );
    expect(
      (await linesOf(sheet, { zone: berlin, profile: 'data' })).map((line) => line.slice(-25)),
    ).to.deep.equal(['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00']);
  });

  it('writes offsets of half an hour, west of Greenwich, and of seconds', async () => {
    const written = async (zone: string, iso: string): Promise<string | undefined> =>
      (await linesOf(sheetOf(['', 1, 0, moment(iso)]), { zone, profile: 'data' }))[0]?.split(',').at(-1);
    expect(await written('Asia/Kolkata', '2026-07-01T20:00:00Z')).to.equal('2026-07-02T01:30:00+05:30');
    expect(await written('America/St_Johns', '2026-12-01T00:00:00Z')).to.equal('2026-11-30T20:30:00-03:30');
    expect(await written('Africa/Monrovia', '1971-01-01T00:44:30Z')).to.equal('1971-01-01T00:00:00-00:44:30');
  });

  it('has the first midnight of 1970 for earlier times', async () => {
    const first = sheetOf(['', 1, 0, moment('1970-01-01T00:00:00Z')]);
    expect(await linesOf(first, { zone: 'America/St_Johns', profile: 'data' })).to.deep.equal([
      '"",1,1970-01-01,1970-01-01T00:00:00-03:30',
    ]);
  });
});
