import { expect } from 'chai';
import { remarksOf, writeXlsx } from '../src/index.js';
import { read } from './read-list.js';
import { collect, sheetOf } from './sheets.js';
import { workbook, type Parts } from './workbooks.js';

const ada = '0A0A0A Ada|Lovelace';

const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`;
const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const titles = row(text('Chip'), text('First name'), text('Last name'));

/** The lines of a sheet with titles and one person, whose tag is in the given cell. */
async function idOf(cell: string, parts: Parts = {}): Promise<string | undefined> {
  const { lines } = await read(workbook(titles + row(cell, text('Ada'), text('Lovelace')), parts));
  expect(lines.length).to.equal(1);
  return lines[0];
}

describe('A list of names in a workbook', () => {
  it('is read as Tallybook writes it', async () => {
    const columns = ['Last name', 'First name', 'Tags', 'Groups'].map((title) => ({
      ...{ title, kind: 'text' as const, width: 9 },
    }));
    const sheet = { ...sheetOf(['Lovelace', 'Ada & <Co>', '0A0A0A', '_x0041_, 7b']), columns };
    const bytes = Buffer.concat(await collect(writeXlsx(sheet, { zone: 'UTC' })));
    const { lines, reading } = await read(bytes);
    expect(lines).to.deep.equal(['0A0A0A Ada & <Co>|Lovelace (_x0041_, 7b)']);
    expect(reading).to.deep.include({ sheets: ['Attendance'], sheet: 'Attendance', hasTitles: true });
  });

  it('is read as Excel writes it: shared texts, runs, furigana, styles, gaps', async () => {
    const shared =
      '<si><t>Chip</t></si><si><t>Vorname</t></si><si><t>Nachname</t></si>' +
      '<si><r><rPr><b/><sz val="11"/></rPr><t xml:space="preserve">Love</t></r><r><t>lace</t></r>' +
      '<rPh sb="0" eb="1"><t>x</t></rPh><phoneticPr fontId="1"/></si><si><t>Ada_x000D_</t></si><si/>';
    const bytes = workbook(
      '<row r="2" spans="1:9" x14ac:dyDescent="0.3"><c r="B2" s="1" t="s"><v>0</v></c><c r="D2" t="s"><v>1</v></c><c r="E2" t="s"><v>2</v></c></row>' +
        '<row r="3"/><row r="4" ht="20"><c r="A4" s="1"/></row>' +
        '<row r="7"><c r="A7" t="s"><v>5</v></c><c r="B7" s="0"><v>12345678901</v></c><c r="D7" t="s"><v>4</v></c><c r="E7" t="s"><v>3</v></c></row>',
      {
        shared,
        head: '<dimension ref="B2:E7"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"/></sheetViews>',
        tail: '<mergeCells count="1"><mergeCell ref="A1:E1"/></mergeCells><pageMargins left="0.7" right="0.7"/>',
      },
    );
    const { lines, rows } = await read(bytes);
    expect(lines).to.deep.equal(['12345678901 Ada|Lovelace']);
    expect(rows[0]?.line).to.equal(7);
  });

  it('is read as LibreOffice and .NET write it: with prefixes, absolute targets, other quotes and comments', async () => {
    const bytes = workbook('', {
      files: {
        '[Content_Types].xml': '<Types/>',
        '_rels/.rels':
          "<Relationships><Relationship Id='a' Type='http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument' Target='/xl/Workbook.xml'/></Relationships>",
        'xl\\_rels\\workbook.xml.rels':
          '<p:Relationships xmlns:p="x"><p:Relationship Target="/xl/worksheets/sheet.xml" Type="x/worksheet" Id="R1"></p:Relationship></p:Relationships>',
        'xl/workbook.xml':
          '\uFEFF<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<!-- a > b -->\n<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet x:name="a" name="Mit&#xE9; &amp; &quot;x&quot;" sheetId="1" r:id="R1" /></x:sheets></x:workbook>',
        'xl/worksheets/sheet.xml':
          '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="str"><x:f>A1&amp;"&gt;"</x:f><x:v>Karte</x:v></x:c>' +
          '<x:c t="inlineStr"><x:is><x:t>Vorname</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t>Name</x:t></x:is></x:c></x:row>' +
          '<x:row><x:c t="str"><x:v>0A0A0A</x:v></x:c><x:c t="inlineStr" ><x:is><x:t xml:space="preserve"> Ada </x:t></x:is></x:c>' +
          "<x:c t='inlineStr'\n><x:is><x:t><![CDATA[Love]]>lace</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>\n",
      },
    });
    const { lines, reading } = await read(bytes);
    expect(lines).to.deep.equal([ada]);
    expect(reading.sheet).to.equal('Mité & "x"');
  });

  it('has whole numbers as ids, with all digits and with the zeros that are shown', async () => {
    const styles =
      '<numFmts count="1"><numFmt numFmtId="164" formatCode="0000000000"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="1"/></cellXfs>';
    for (const [cell, id] of [
      ['<c><v>12345678901</v></c>', '12345678901'],
      ['<c t="n"><v>1.2345678901E10</v></c>', '12345678901'],
      ['<c s="2"><v>6547886</v></c>', '6547886'],
      ['<c s="1"><v>6547886</v></c>', '0006547886'],
      ['<c><v>123456789012345</v></c>', '123456789012345'],
      ['<c><v>1234567890123456</v></c>', '1234567890123456'],
      ['<c s="99"><v>7.0</v></c>', '7'],
      ['<c t="b"><v>1</v></c>', 'TRUE'],
    ] as const)
      expect(await idOf(cell, { styles }), cell).to.equal(`${id} Ada|Lovelace`);
  });

  it('is refused at an id that a program has rounded, or taken for a number, a date or an error', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="0.0E+00"/><numFmt numFmtId="165" formatCode="[$-407]d\\. mmmm yy;@"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="11"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>';
    const rounded = '2! the id has become a number; format its column as text';
    const dated = '2! the id has become a date; format its column as text';
    for (const [cell, line] of [
      ['<c><v>12345678901234567</v></c>', rounded],
      ['<c><v>1.2345678901234601E+17</v></c>', rounded],
      ['<c><v>1234567890123450</v></c>', rounded],
      ['<c><v>1.2E+100</v></c>', rounded],
      ['<c><v>99.59822</v></c>', rounded],
      ['<c s="1"><v>12000000000</v></c>', rounded],
      ['<c s="2"><v>120</v></c>', rounded],
      ['<c s="3"><v>37683</v></c>', dated],
      ['<c s="4"><v>37683</v></c>', dated],
      ['<c s="5"><v>0.25</v></c>', dated],
      ['<c t="d"><v>2026-11-29</v></c>', dated],
      ['<c t="e"><v>#N/A</v></c>', '2! the cell of the id has an error'],
      ['<c t="str"><v>1.2E+46</v></c>', rounded],
    ] as const)
      expect(await idOf(cell, { styles }), cell).to.equal(line);
  });

  it('is refused at a number or a group that has become a date, and keeps other columns with dates', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="16"/></cellXfs>';
    const head = row(...['Vorname', 'Nachname', 'Mitgliedsnr.', 'Klasse', 'Geburtstag'].map(text));
    const person = (number: string, group: string): string =>
      head + row(text('Ada'), text('Lovelace'), number, group, '<c s="1"><v>37683</v></c>');
    const date = '<c s="1"><v>37683</v></c>';
    for (const [number, group, line] of [
      ['<c><v>12</v></c>', '<c><v>7</v></c>', 'Ada|Lovelace #12 (7)'],
      ['<c/>', '<c><v>7.1</v></c>', 'Ada|Lovelace # (7.1)'],
      [date, '<c/>', '2! the number has become a date; format its column as text'],
      ['<c><v>1.5</v></c>', '<c/>', '2! the number has become a number; format its column as text'],
      ['<c/>', date, '2! the group has become a date; format its column as text'],
    ] as const)
      expect((await read(workbook(person(number, group), { styles }))).lines).to.deep.equal([line]);
  });

  it('leaves dates, errors and numbers in columns that it does not use alone, above and below the titles', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
    const date = '<c s="1"><v>37683</v></c>';
    const bytes = workbook(
      row(date) +
        row(text('Vorname'), text('Geburtstag'), text('Beitrag')) +
        row(text('Ada'), date, '<c t="e"><v>#REF!</v></c>') +
        row('<c/>', date, '<c><v>1.5</v></c>'),
      { styles },
    );
    const { lines, reading } = await read(bytes);
    expect(lines).to.deep.equal(['Ada|']);
    expect(reading.leftOut).to.deep.equal([{ line: 4, text: '1.5' }]);
  });

  it('knows formats of dates from other formats', async () => {
    for (const [code, isDate] of [
      ['yyyy-mm-dd', true],
      ['[h]:mm', true],
      ['[$-F800]dddd\\,\\ mmmm\\ dd', true],
      ['General', false],
      ['Standard', false],
      ['#,##0\\ [$€-407];[Red]-#,##0', false],
      ['"Mitglied Nr. "0', false],
      ['_-* #,##0\\d_-', false],
      ['@', false],
    ] as const) {
      const formats = `<numFmts><numFmt numFmtId="170" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts>`;
      const styles = `${formats}<cellXfs><xf numFmtId="170"/></cellXfs>`;
      const line = isDate ? '2! the id has become a date; format its column as text' : '37683 Ada|Lovelace';
      expect(await idOf('<c s="0"><v>37683</v></c>', { styles }), code).to.equal(line);
    }
  });

  it('is the first sheet that is not hidden, or the chosen one', async () => {
    const of = (name: string): string => titles + row(text('0A0A0A'), text(name), text(''));
    const bytes = workbook(of('One'), {
      further: [
        { name: 'Zwei', state: 'hidden', rows: of('Two') },
        { name: '3', rows: of('Three') },
        { name: 'Vier', rows: of('Four'), state: 'visible' },
      ],
      state: 'veryHidden',
    });
    for (const [sheet, name] of [
      [undefined, 'Three'],
      ['vier', 'Four'],
      ['Zwei', 'Two'],
      ['1', 'Three'],
      ['2', 'Four'],
      ['3', 'Three'],
    ] as const) {
      const { lines, reading } = await read(bytes, { sheet });
      expect(lines, sheet).to.deep.equal([`0A0A0A ${name}|`]);
      expect(reading.sheets).to.deep.equal(['3', 'Vier']);
    }
    const { reading } = await read(bytes);
    expect(remarksOf(reading)).to.deep.equal(['The sheet "3" was read. Others in the file: "Vier".']);
    expect(remarksOf(reading, 'de')).to.deep.equal([
      'Gelesen wurde das Blatt "3". Weitere in der Datei: "Vier".',
    ]);
    for (const sheet of ['4', '0', 'Fünf', '-1', '1.5'])
      expect((await read(bytes, { sheet })).lines).to.deep.equal([
        `1! no sheet is called "${sheet}"; there is "3", "Vier"`,
      ]);
  });

  it('may have a heading over all columns, and titles in two rows', async () => {
    const bytes = workbook(
      row(text('Members 2026')) +
        row(text('Karte'), text('Name'), '<c/>', text('Gruppe')) +
        row('<c/>', text('Vorname'), text('Nachname')) +
        row(text('0A0A0A'), text('Ada'), text('Lovelace'), text('1st squad, Board')),
    );
    const { lines, reading } = await read(bytes);
    expect(lines).to.deep.equal([`${ada} (1st squad, Board)`]);
    expect(reading.leftOut).to.deep.equal([{ line: 1, text: 'Members 2026' }]);
    expect(reading.titles).to.deep.equal(['Karte', 'Vorname', 'Nachname', 'Gruppe']);
  });

  it('may have no titles, as a CSV', async () => {
    expect((await read(workbook(row(text('0A0A0A'), text('Ada'), text('Lovelace'))))).lines).to.deep.equal([
      ada,
    ]);
  });

  it('is refused if its sheet is empty', async () => {
    for (const rows of ['', '<row r="1"/>', row('<c s="1"/>'), row(text(' '))])
      expect((await read(workbook(rows))).lines).to.deep.equal(['1! the list has no names']);
  });

  it('has at most 20,000 rows, and lets other work run while they are read', async () => {
    const person = row('<c><v>6547886</v></c>', text('Ada'), text('Lovelace'));
    const empty = row('<c s="1"/>').repeat(30_000);
    const bytes = workbook(titles + empty + person.repeat(10_000));
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const { lines } = await read(bytes);
    clearInterval(counting);
    expect(lines.length).to.equal(10_000);
    expect(turns).to.be.at.least(20);
    const { lines: most } = await read(workbook(titles + person.repeat(20_001)));
    expect(most.at(-1)).to.equal('20001! the table has more than 20000 rows');
  });
});
