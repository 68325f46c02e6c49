import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { escapeXml } from '../src/workbook/escape-xml.js';
import { partsOf, styles } from '../src/workbook/parts.js';
import { Peeking } from '../src/workbook/peeking.js';
import { sheetXml, type Value } from '../src/workbook/sheet-xml.js';
import { zip } from '../src/workbook/zip.js';
import { collect } from './sheets.js';

async function* rowsOf(...rows: readonly (readonly Value[])[]): AsyncGenerator<readonly Value[]> {
  for (const row of rows) yield await Promise.resolve(row);
}

const columns = [{ title: 'Text', width: 10, style: styles.text }];

describe('a workbook', () => {
  it('goes on with a second sheet, which has the titles again, where the first is full', async () => {
    const rows = new Peeking(rowsOf(['one'], ['two'], ['three']));
    const options = { columns, frozenColumns: 0, mostRows: 3 };
    const sheet = async (): Promise<string[]> => {
      const xml = Buffer.concat(await collect(sheetXml(rows, options))).toString();
      return [...xml.matchAll(/<t [^>]*>(\w+)<\/t>/g)].map(([, text = '']) => text);
    };
    expect(await sheet()).to.deep.equal(['Text', 'one', 'two']);
    expect(await rows.hasNext()).to.equal(true);
    expect(await sheet()).to.deep.equal(['Text', 'three']);
    expect(await rows.hasNext()).to.equal(false);
  });

  it('names each sheet in all parts that name sheets', () => {
    const parts = partsOf('A "name" that is as long as a name may be', 2);
    expect(parts['xl/workbook.xml']).to.match(
      /<sheet name="A &quot;name&quot; that is as long as a n" sheetId="1" r:id="rId1"\/><sheet name="A &quot;name&quot; that is as long as a 2" sheetId="2"/,
    );
    for (const part of ['xl/_rels/workbook.xml.rels', '[Content_Types].xml'])
      expect(parts[part]).to.include('worksheets/sheet2.xml');
  });

  it('names columns as spreadsheets do, beyond Z and ZZ too', async () => {
    const many = Array.from({ length: 703 }, () => ({ title: 'x', width: 1, style: styles.number }));
    const options = { columns: many, frozenColumns: 0, mostRows: 1 };
    const xml = Buffer.concat(await collect(sheetXml(rowsOf(), options))).toString();
    const places = [...xml.matchAll(/<c r="([A-Z]+)1"/g)].map(([, letters]) => letters);
    expect([places[0], places[25], places[26], places[701], places[702]]).to.deep.equal([
      ...['A', 'Z', 'AA', 'ZZ', 'AAA'],
    ]);
  });

  it('is handed over bit by bit, so that a wide row is never in memory as a whole', async () => {
    const many = Array.from({ length: 5_000 }, () => ({ title: 'x', width: 1, style: styles.time }));
    const row = many.map((_, index) => index / 3);
    const options = { columns: many, frozenColumns: 0, mostRows: 9 };
    const [opening, ...pieces] = await collect(sheetXml(rowsOf(row), options));
    expect(opening?.length).to.be.above(0);
    expect(pieces).to.have.length.above(20);
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(9_000);
  });

  it('has what XML cannot have replaced', () => {
    expect(escapeXml('a\0b\u001Fc\uD800<&>\uFFFF\t"')).to.equal(
      'a\uFFFDb\uFFFDc\uFFFD&lt;&amp;&gt;\uFFFD\t"',
    );
  });
});

describe('an archive', () => {
  it('has its files as they were, empty ones and such of several pieces too', async () => {
    const files = { 'a.txt': ['one', 'two'], 'empty.txt': [], 'größer.txt': ['x'.repeat(200_000)] };
    const entries = Object.entries(files).map(([path, pieces]) => ({
      path,
      data: pieces.map((piece) => Buffer.from(piece)),
    }));
    const unpacked = unzipSync(Buffer.concat(await collect(zip(entries))));
    const texts = Object.entries(unpacked).map(([path, bytes]) => [path, [strFromU8(bytes)]]);
    expect(Object.fromEntries(texts)).to.deep.equal({
      'a.txt': ['onetwo'],
      'empty.txt': [''],
      'größer.txt': ['x'.repeat(200_000)],
    });
  });
});
