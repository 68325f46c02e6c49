import { toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { readXlsx } from 'hucre/xlsx';
import { writeXlsx, type Sheet } from '../src/index.js';
import { berlin, collect, dayOf, moment, sheetOf, tag, textSheet } from './sheets.js';

/** The parts of a workbook, unpacked by another library. */
async function partsOf(sheet: Sheet, zone = 'UTC'): Promise<Readonly<Record<string, string>>> {
  const bytes = Buffer.concat(await collect(writeXlsx(sheet, { zone })));
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, part]) => [path, strFromU8(part)]));
}

async function sheetXmlOf(sheet: Sheet, zone?: string): Promise<string> {
  return (await partsOf(sheet, zone))['xl/worksheets/sheet1.xml'] ?? '';
}

/** The cells below the titles, by place: type and content. */
async function cellsOf(sheet: Sheet, zone?: string): Promise<Readonly<Record<string, string>>> {
  const cells = (await sheetXmlOf(sheet, zone)).matchAll(
    /<c r="([A-Z]+(\d+))"(?: s="\d+")?(?: t="(\w+)")?(?: s="\d+")?>(.*?)<\/c>/g,
  );
  return Object.fromEntries(
    [...cells]
      .filter(([, , row]) => row !== '1')
      .map(([, place = '', , type = 'n', content = '']) => [
        place,
        `${type} ${content.replace(/<\/?(?:is|t|v)(?: [^>]*)?>/g, '')}`,
      ]),
  );
}

describe('XLSX', () => {
  it('is read as a workbook by another library', async () => {
    const row = ['Ada <b>', 3, dayOf('2026-11-22'), moment('2026-11-22T06:00:00Z')];
    const bytes = Buffer.concat(await collect(writeXlsx(sheetOf(row), { zone: 'UTC' })));
    const { sheets } = await readXlsx(bytes);
    expect(sheets.map(({ rows }) => rows)).to.deep.equal([
      [
        ['Text', 'Number', 'Date', 'Time'],
        ['Ada <b>', 3, new Date('2026-11-22T00:00:00Z'), new Date('2026-11-22T06:00:00Z')],
      ],
    ]);
  });

  it('has all tags of a person in one cell, with a comma and a space between them', async () => {
    const cells = await cellsOf(sheetOf([[...tag('0A0B0C'), ...tag('1A1B1C')]]));
    expect(cells).to.deep.equal({ A2: 'inlineStr 0A0B0C, 1A1B1C' });
  });

  it('keeps text and ids as text, for every content', async () => {
    const cells = await cellsOf(sheetOf(['=1+1'], [tag('0011223344')], [tag('12E456')], ['0123'], ['<&">']));
    expect(cells).to.deep.equal({
      A2: 'inlineStr =1+1',
      A3: 'inlineStr 0011223344',
      A4: 'inlineStr 12E456',
      A5: 'inlineStr 0123',
      A6: 'inlineStr &lt;&amp;"&gt;',
    });
    expect(await sheetXmlOf(sheetOf(['=1+1']))).to.not.match(/<f[ >]/);
  });

  it('has dates, times and numbers that Excel can calculate with, and their formats', async () => {
    const row = ['Ada', 3, dayOf('2026-11-22'), moment('2026-11-22T05:00:00Z')];
    const parts = await partsOf(sheetOf(row), berlin);
    const xml = parts['xl/worksheets/sheet1.xml'] ?? '';
    // 2026-11-22 is 46348 for Excel, and six o'clock a quarter of a day.
    expect(await cellsOf(sheetOf(row), berlin)).to.deep.equal({
      A2: 'inlineStr Ada',
      B2: 'n 3',
      C2: 'n 46348',
      D2: 'n 46348.25',
    });
    const styles = [...xml.matchAll(/<c r="([CD]2)" s="(\d+)"/g)].map(([, , style]) => Number(style));
    const formats = [
      ...(parts['xl/styles.xml'] ?? '').matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]+)"/g),
    ];
    const shown = new Map(formats.map(([, id, code]) => [id, code]));
    const xfs = [
      ...(/<cellXfs.*?<\/cellXfs>/s.exec(parts['xl/styles.xml'] ?? '')?.[0] ?? '').matchAll(
        /<xf [^>]*numFmtId="(\d+)"/g,
      ),
    ];
    expect(styles.map((style) => shown.get(xfs[style]?.[1]))).to.deep.equal(['yyyy-mm-dd', 'hh:mm:ss']);
  });

  it('has a count in a column of times as a plain number, and a time that does not count in parentheses', async () => {
    const outside = { ...moment('2026-11-22T05:00:00Z'), isOutside: true as const };
    const sheet = sheetOf(['', 1, undefined, { count: 7 }], ['', 1, undefined, outside]);
    expect(await sheetXmlOf(sheet, berlin)).to.contain('<c r="D2" s="1"><v>7</v></c>');
    const cells = await cellsOf(
      sheetOf(['', 1, undefined, { count: 7 }], ['', 1, undefined, outside]),
      berlin,
    );
    expect([cells['D2'], cells['D3']]).to.deep.equal(['n 7', 'inlineStr (06:00:00)']);
  });

  it('shows local times, and keeps the date of a time after midnight', async () => {
    const cells = await cellsOf(
      sheetOf(
        ['', 1, undefined, moment('2026-07-01T10:00:00Z')],
        ['', 1, undefined, moment('2026-12-01T23:00:00Z', '2026-12-01')],
      ),
      berlin,
    );
    expect([cells['D2'], cells['D3']]).to.deep.equal(['n 46204.5', 'n 46358']);
  });

  it('writes dates after the year 9999 as text, because Excel does not have them', async () => {
    const far = { at: toTimestamp(Number.MAX_SAFE_INTEGER), day: toDay(4_294_967_295) };
    const last = { at: toTimestamp(253_402_300_799), day: toDay(2_932_896) };
    const cells = await cellsOf(sheetOf(['', 1, far.day, far], ['', 1, last.day, last], ['', 1, 2_932_897]));
    expect(cells['C2']).to.equal('inlineStr day 4294967295');
    expect(cells['D2']).to.match(/^inlineStr day 4294967295 \d\d:\d\d:\d\d$/);
    expect([cells['C3'], cells['D3']?.slice(0, 12)]).to.deep.equal(['n 2958465', 'n 2958465.99']);
    expect(cells['C4']).to.equal('inlineStr +010000-01-01');
  });

  it('keeps the titles in view, and has columns as wide as their content', async () => {
    const xml = await sheetXmlOf(sheetOf(['Ada']));
    expect(xml).to.match(/<pane [^>]*xSplit="1"[^>]*ySplit="1"[^>]*topLeftCell="B2"[^>]*state="frozen"/);
    expect(
      [...xml.matchAll(/<col min="(\d)" max="\1" width="(\d+)"/g)].map(([, , width]) => width),
    ).to.deep.equal(['20', '8', '12', '11']);
    expect(xml).to.match(/<row r="1">.*>Text<.*>Number<.*>Date<.*>Time</);
  });

  it('has no character that XML does not have, and none that Excel decodes', async () => {
    const cells = await cellsOf(textSheet('a\uFFFEb', 'a\uD800b', '_x0041__X00af__x004_'));
    expect(Object.values(cells)).to.deep.equal([
      'inlineStr a\uFFFDb',
      'inlineStr a\uFFFDb',
      'inlineStr _x005F_x0041__x005F_X00af__x004_',
    ]);
  });

  it('cuts text that is longer than a cell of Excel, but not within a character', async () => {
    const cells = await cellsOf(
      textSheet(
        'a'.repeat(32_767),
        'a'.repeat(32_768),
        `${'a'.repeat(32_765)}😀aa`,
        `😀${'a'.repeat(32_766)}`,
      ),
    );
    const texts = Object.values(cells).map((cell) => cell.replace('inlineStr ', ''));
    expect(texts.map(({ length }) => length)).to.deep.equal([32_767, 32_767, 32_766, 32_767]);
    expect(texts.map((text) => text.slice(-2))).to.deep.equal(['aa', 'a…', 'a…', 'a…']);
    expect(texts.at(-1)?.slice(0, 3)).to.equal('😀a');
  });

  it('cuts the tags of a person too', async () => {
    const tags = Array.from({ length: 5_000 }, () => tag('0A0B0C')[0]);
    expect((await cellsOf(sheetOf([tags])))['A2']).to.have.lengthOf('inlineStr '.length + 32_767);
  });

  it('releases its rows when it is no longer read', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    async function* rows(): AsyncGenerator<readonly string[]> {
      try {
        for (;;) yield await Promise.resolve(['Ada'.repeat(100)]);
      } finally {
        end();
      }
    }
    const pieces = writeXlsx({ ...textSheet(), rows: rows() }, { zone: 'UTC' });
    for (let n = 0; n < 5; n++) await pieces.next();
    await pieces.return();
    await ended;
  });

  it('fails with the error of its rows', async () => {
    async function* rows(): AsyncGenerator<readonly string[]> {
      yield ['Ada'];
      await Promise.reject(new Error('the card is gone'));
    }
    const failure = await collect(writeXlsx({ ...textSheet(), rows: rows() }, { zone: 'UTC' })).catch(
      (error: unknown) => error,
    );
    expect(failure).to.have.property('message', 'the card is gone');
  });
});
