import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { escapeXml, partsOf, styles } from '../src/workbook/parts.js';
import { Peeking, sheetXml, type Value } from '../src/workbook/sheet-xml.js';
import { zip, type ZipEntry } from '../src/workbook/zip.js';
import { collect } from './sheets.js';

async function* rowsOf(...rows: readonly (readonly Value[])[]): AsyncGenerator<readonly Value[]> {
  for (const row of rows) yield await Promise.resolve(row);
}

const TOO_LARGE = 'a workbook has at most 4 GiB: choose fewer days';

const columns = [{ title: 'Text', width: 10, style: styles.text }];

describe('a workbook', () => {
  it('continues with a second sheet, which has the titles again, when the first is full', async () => {
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

  it('is delivered in pieces, so that a wide row is never in memory as a whole', async () => {
    const many = Array.from({ length: 5_000 }, () => ({ title: 'x', width: 1, style: styles.time }));
    const row = many.map((_, index) => index / 3);
    const options = { columns: many, frozenColumns: 0, mostRows: 9 };
    const [opening = '', ...pieces] = await collect(sheetXml(rowsOf(row), options));
    expect(opening.length).to.be.above(0);
    expect(pieces).to.have.length.above(20);
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(9_000);
    // But not each cell by itself, which would be slow.
    expect(Math.min(...pieces.slice(0, -1).map(({ length }) => length))).to.be.at.least(8_192);
    const [, cells = ''] = [opening, ...pieces].map(String).join('').split('<sheetData>');
    expect(cells.replaceAll(/<c [^>]*>.*?<\/c>/g, 'c')).to.equal(
      `<row r="1">${'c'.repeat(5_000)}</row><row r="2">${'c'.repeat(5_000)}</row></sheetData></worksheet>`,
    );
  });

  it('has replacements for characters that XML cannot have', () => {
    expect(escapeXml('a\0b\u001Fc\uD800<&>\uFFFF\t"')).to.equal(
      'a\uFFFDb\uFFFDc\uFFFD&lt;&amp;&gt;\uFFFD\t"',
    );
  });
});

describe('the parts of a workbook', () => {
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
  const typed = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  // In each test, and not here: mutation testing runs each mutant with the tests that run the mutated line.
  const parts = (): Readonly<Record<string, string>> => partsOf('Attendance', 1);

  it('are the five that Excel needs in addition to the sheets', () => {
    expect(Object.keys(parts())).to.deep.equal([
      ...[
        'xl/styles.xml',
        'xl/workbook.xml',
        'xl/_rels/workbook.xml.rels',
        '_rels/.rels',
        '[Content_Types].xml',
      ],
    ]);
  });

  it('name the places and the types of the others', () => {
    expect(parts()['xl/workbook.xml']).to.equal(
      `${head}<workbook ${main} xmlns:r="${relation}"><sheets><sheet name="Attendance" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    );
    expect(parts()['xl/_rels/workbook.xml.rels']).to.equal(
      `${head}<Relationships ${relations}><Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/>` +
        `<Relationship Id="rId2" Type="${relation}/styles" Target="styles.xml"/></Relationships>`,
    );
    expect(parts()['_rels/.rels']).to.equal(
      `${head}<Relationships ${relations}><Relationship Id="rId1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    );
    expect(parts()['[Content_Types].xml']).to.equal(
      `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${typed}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${typed}.styles+xml"/>` +
        `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${typed}.worksheet+xml"/></Types>`,
    );
  });

  it('have all styles that Excel needs, and own formats only for dates and times', () => {
    expect(parts()['xl/styles.xml']).to.equal(
      `${head}<styleSheet ${main}>` +
        '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/><numFmt numFmtId="165" formatCode="hh:mm:ss"/></numFmts>' +
        '<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
        '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
        '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
        [1, 164, 165]
          .map(
            (id) =>
              `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
          )
          .join('') +
        '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
    );
  });

  it('are sheets with fixed titles, alone or with columns, and cells with their addresses', async () => {
    for (const [frozenColumns, pane] of [
      [0, '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'],
      [2, '<pane xSplit="2" ySplit="1" topLeftCell="C2" activePane="bottomRight" state="frozen"/>'],
    ] as const) {
      const two = [...columns, { title: 'Time', width: 11, style: styles.time }];
      const options = { columns: two, frozenColumns, mostRows: 9 };
      const xml = Buffer.concat(await collect(sheetXml(rowsOf([undefined, 0.5]), options))).toString();
      expect(xml).to.equal(
        `${head}<worksheet ${main}><sheetViews><sheetView workbookViewId="0">${pane}` +
          '</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>' +
          '<col min="1" max="1" width="10" customWidth="1"/><col min="2" max="2" width="11" customWidth="1"/></cols><sheetData>' +
          '<row r="1"><c r="A1" t="inlineStr"><is><t xml:space="preserve">Text</t></is></c>' +
          '<c r="B1" t="inlineStr"><is><t xml:space="preserve">Time</t></is></c></row>' +
          '<row r="2"><c r="B2" s="3"><v>0.5</v></c></row></sheetData></worksheet>',
      );
    }
  });
});

describe('an archive', () => {
  it('has its files unchanged, also empty ones and those of several pieces', async () => {
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

  it('has name, checksum, sizes and offset of each file before it, after it and in the directory', async () => {
    const texts = { 'a.txt': 'one', 'größer.txt': 'x'.repeat(70_000) };
    const entries = Object.entries(texts).map(([path, text]) => ({ path, data: [Buffer.from(text)] }));
    const archive = Buffer.concat(await collect(zip(entries)));
    const read = (at: number, ...lengths: readonly number[]): readonly number[] => {
      let next = at;
      return lengths.map((length) => archive.readUIntLE((next += length) - length, length));
    };
    const end = archive.length - 22;
    const [signature, disk, ofDirectory, here, all, length, start = 0, comment] = read(
      end,
      4,
      2,
      2,
      2,
      2,
      4,
      4,
      2,
    );
    expect([signature, disk, ofDirectory, here, all, comment]).to.deep.equal([0x06054b50, 0, 0, 2, 2, 0]);
    expect(start + (length ?? 0)).to.equal(end);
    let [at, offset] = [start, 0];
    for (const { path, data } of entries) {
      const name = Buffer.from(path);
      const bytes = data[0]?.length ?? 0;
      const [made, ...fields] = read(at, 4, 2, 2, 2, 2, 2, 2);
      expect([made, ...fields]).to.deep.equal([0x02014b50, 20, 20, 0x0808, 8, 0, 0x21]);
      const [crc, packed = 0, unpacked, nameLength] = read(at + 16, 4, 4, 4, 2);
      expect([crc, unpacked, nameLength]).to.deep.equal([crc32(data[0] ?? ''), bytes, name.length]);
      expect(read(at + 30, 2, 2, 2, 2, 4, 4)).to.deep.equal([0, 0, 0, 0, 0, offset]);
      expect(archive.subarray(at + 46, at + 46 + name.length)).to.deep.equal(name);
      at += 46 + name.length;
      // Before the data its sizes are unknown: they follow it.
      expect(read(offset, 4, 2, 2, 2, 2, 2, 4, 4, 4, 2, 2)).to.deep.equal([
        ...[0x04034b50, 20, 0x0808, 8, 0, 0x21, 0, 0, 0, name.length, 0],
      ]);
      offset += 30;
      expect(archive.subarray(offset, offset + name.length)).to.deep.equal(name);
      offset += name.length + packed;
      expect(read(offset, 4, 4, 4, 4)).to.deep.equal([0x08074b50, crc, packed, bytes]);
      offset += 16;
    }
    expect([at, offset]).to.deep.equal([end, start]);
  });

  it('is refused if it, or a file in it, is too large for its fields', async () => {
    const files = (...bytes: readonly Uint8Array[]): readonly ZipEntry[] =>
      bytes.map((piece, n) => ({ path: `${n}`, data: [piece] }));
    const zeros = Buffer.alloc(1_000);
    // Data that cannot be compressed.
    const noise = Buffer.concat(
      [1, 2, 3, 4, 5, 6, 7].map((n) => createHash('sha512').update(`${n}`).digest()),
    );
    const sizeOf = async (entries: readonly ZipEntry[], mostBytes?: number): Promise<number> =>
      Buffer.concat(await collect(zip(entries, mostBytes))).length;
    expect(await sizeOf(files(zeros), 1_000)).to.be.below(1_000);
    const refusal = async (entries: readonly ZipEntry[], mostBytes: number): Promise<unknown> =>
      sizeOf(entries, mostBytes).catch((error: unknown) => error);
    expect(await refusal(files(zeros), 999))
      .to.be.instanceOf(RangeError)
      .with.property('message', TOO_LARGE);
    expect(await refusal(files(noise, noise), 700)).to.be.instanceOf(RangeError);
    expect(await refusal(files(noise, Buffer.alloc(0)), 490)).to.be.instanceOf(RangeError);
    expect(await sizeOf(files(noise), 700)).to.be.above(448);
  });
});
