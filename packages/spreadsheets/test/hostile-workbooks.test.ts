import { expect } from 'chai';
import fc from 'fast-check';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { readXml, XmlReader, type XmlToken } from '../src/workbook-reading/xml.js';
import { read } from './read-list.js';
import { workbook, zipOf } from './workbooks.js';

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const titles = `<row>${text('Chip')}${text('Name')}</row>`;
const person = `<row>${text('0A0A0A')}${text('Ada')}</row>`;

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const { lines } = await read(bytes);
  return lines.at(-1) ?? '';
}

const DAMAGED = '1! the file is damaged, or not a workbook; save it again as XLSX, or the table as CSV';

describe('A hostile or damaged workbook', () => {
  it('is refused if it is large when unpacked, whatever it says of itself', async () => {
    const refused = '1! the workbook has more than 16777216 bytes when unpacked; save the table as CSV';
    const spaces = ' '.repeat(17_000_000);
    const honest = workbook(`${titles}${spaces}`);
    expect(await refusalOf(honest)).to.equal(refused);
    expect(await refusalOf(workbook(titles, { shared: spaces }))).to.equal(refused);
    expect(await refusalOf(workbook(titles, { styles: spaces }))).to.equal(refused);
    // The sizes before each file and in the directory say that the files are empty.
    const lying = Buffer.from(honest);
    for (let at = lying.indexOf('PK\u0001\u0002'); at !== -1; at = lying.indexOf('PK\u0001\u0002', at + 4))
      lying.writeUInt32LE(0, at + 24);
    for (let at = lying.indexOf('PK\u0003\u0004'); at !== -1; at = lying.indexOf('PK\u0003\u0004', at + 4))
      lying.writeUInt32LE(0, at + 22);
    expect(await refusalOf(lying)).to.equal(refused);
  });

  it('unpacks nothing that it does not need', async () => {
    const needed = unzipSync(workbook(titles + person));
    const bytes = zipSync({ ...needed, 'xl/media/image1.png': new Uint8Array(17_000_000) });
    expect((await read(bytes)).lines).to.deep.equal(['0A0A0A |Ada']);
  });

  it('is refused if it has too many files, texts, or letters of shared texts', async () => {
    const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`${n}`, '']));
    expect(await refusalOf(zipOf(files))).to.match(/^1! the workbook has more than 1000 files in it/);
    expect(await refusalOf(workbook(titles, { shared: '<si/>'.repeat(200_001) }))).to.match(
      /^1! the workbook has more than 200000 texts/,
    );
    const long = `<row><c/>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`;
    const shared = `<si><t>${'x'.repeat(10_000)}</t></si>`;
    expect(await refusalOf(workbook(titles + long.repeat(10), { shared }))).to.match(
      /^1! the sheet has more than 8388608 characters/,
    );
  });

  it('is refused if its XML is deep, or declares entities', async () => {
    expect(await refusalOf(workbook('<a>'.repeat(100) + '</a>'.repeat(100)))).to.match(
      /^1! the workbook has XML with more than 64 elements in each other/,
    );
    const bytes = unzipSync(workbook(titles + person));
    for (const doctype of [
      '<!DOCTYPE a>',
      '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;">]>',
      '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
      '<!ELEMENT a ANY>',
    ])
      expect(
        await refusalOf(
          zipSync({
            ...bytes,
            'xl/workbook.xml': strToU8(doctype + Buffer.from(bytes['xl/workbook.xml'] ?? []).toString()),
          }),
        ),
        doctype,
      ).to.match(/^1! the workbook has XML with declarations of its own/);
    expect(await refusalOf(workbook(titles + person.replace('Ada', '&lol;')))).to.match(/declarations/);
  });

  it('is refused if its XML is not well formed', async () => {
    for (const rows of [
      '<row>',
      '</row>',
      '<row></c>',
      '<row <c/></row>',
      '<row r=1/>',
      '<row r="<"/>',
      '<![CDATA[',
      '<!-- ',
      '<',
      '&#0;',
      '&#xD800;',
      '&#x110000;',
      `<row r="${'1'.repeat(70_000)}`,
      `<${'a'.repeat(70_000)}`,
    ])
      expect(await refusalOf(workbook(titles + person + rows)), rows.slice(0, 20)).to.equal(DAMAGED);
  });

  it('is refused if parts of it are missing, cut, or not text', async () => {
    const bytes = workbook(titles + person, { styles: '<cellXfs/>' });
    const files = unzipSync(bytes);
    for (const path of ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'])
      expect(await refusalOf(zipSync({ ...files, [path]: new Uint8Array() })), path).to.equal(DAMAGED);
    for (const path of Object.keys(files))
      expect(
        await refusalOf(zipSync({ ...files, [path]: Buffer.from('\xFF\xFE\xC3', 'latin1') })),
        path,
      ).to.equal(DAMAGED);
    for (const end of [10, 100, 700])
      expect(await refusalOf(bytes.subarray(0, end)), `${end}`).to.equal(DAMAGED);
    expect(await refusalOf(Buffer.from('PK\u0003\u0004'.padEnd(4_000, '\0')))).to.equal(DAMAGED);
  });

  it('is refused with words if it is of another program', async () => {
    for (const [files, what] of [
      [
        { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<a/>' },
        'a file of LibreOffice (ODS)',
      ],
      [{ 'Index/Document.iwa': 'x' }, 'a file of Numbers'],
      [
        {
          '_rels/.rels':
            '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
        },
        'a binary workbook (XLSB)',
      ],
    ] as const)
      expect(await refusalOf(zipOf(files))).to.equal(`1! this is ${what}; save the table as XLSX or CSV`);
  });

  it('may have numbers of rows and places of cells that make no sense', async () => {
    const cell = (place: string, value: string): string =>
      `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows =
      `<row r="-1">${cell('A1', 'Chip')}${cell('B1', 'Name')}</row>` +
      `<row r="x">${cell('', '0A0A0A')}${cell('ZZZZZ', 'Ada')}${cell('XFD1048576', 'far')}${cell('AMK1', 'far')}</row>` +
      `<row r="1e300"><c r="A3" t="s"><v>99</v></c><c r="B3" t="s"><v>-1</v></c><c r="A1" t="s"><v/></c><c r="B1" t="inlineStr"/></row>`;
    expect((await read(workbook(rows))).lines).to.deep.equal(['0A0A0A |Ada']);
  });

  it('is read to its end, or refused, whatever byte is changed', async function () {
    this.timeout(20_000);
    const bytes = workbook(titles + person.repeat(3), { shared: '<si><t>x</t></si>', styles: '<cellXfs/>' });
    const file = zipSync(unzipSync(bytes), { level: 0 });
    const place = fc.nat(file.length - 5).map((at) => at + 4);
    const changes = fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (all, isPacked) => {
        const changed = Uint8Array.from(isPacked ? bytes : file);
        for (const [at, byte] of all) changed[at % changed.length] = byte;
        changed.set(bytes.subarray(0, 4));
        expect((await read(changed)).lines.length).to.be.within(1, 5);
      }),
      { numRuns: 300 },
    );
  });
});

describe('The reader of XML', () => {
  async function* each(pieces: readonly string[]): AsyncGenerator<string> {
    for (const piece of pieces) yield await Promise.resolve(piece);
  }

  /** The tokens, with adjacent texts as one. */
  async function tokensOf(pieces: readonly string[]): Promise<readonly XmlToken[]> {
    const all: XmlToken[] = [];
    for await (const tokens of readXml(each(pieces)))
      for (const token of tokens) {
        const last = all.at(-1);
        if (token.kind === 'text' && last?.kind === 'text')
          all[all.length - 1] = { kind: 'text', text: last.text + token.text };
        else all.push(token);
      }
    return all;
  }

  it('gives the same tokens, however a document is cut into pieces', async () => {
    const document =
      '<?xml version="1.0"?><!-- <a> --><a:b xmlns:a="x" c = \'&lt;"\'>1 &amp; 2&#x41;&#66;<![CDATA[<&]]x]]><d/>é😀</a:b>\n';
    const whole = await tokensOf([document]);
    expect(
      whole.map((token) => (token.kind === 'text' ? token.text : `${token.kind} ${token.name}`)),
    ).to.deep.equal(['open b', '1 & 2AB<&]]x', 'open d', 'close d', 'é😀', 'close b']);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(document.length), { maxLength: 8 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), document.length];
        const pieces = places.slice(1).map((end, index) => document.slice(places[index], end));
        expect(await tokensOf(pieces)).to.deep.equal(whole);
      }),
    );
    expect(await tokensOf(document.split(''))).to.deep.equal(whole);
  });

  it('reads every content in a time that grows with its length', () => {
    for (const piece of ['<a b="', '<a ', '<a b', '&', '&amp', '<!--', ' ', '<a b="c" ', '<![CDATA[']) {
      const reader = new XmlReader();
      const content = piece.repeat(200_000 / piece.length);
      let count = 0;
      try {
        for (let at = 0; at < content.length; at += 16_384)
          count += [...reader.push(`${at === 0 ? '<x>' : ''}${content.slice(at, at + 16_384)}`)].length;
        reader.end();
      } catch (error) {
        expect((error as Error).message, piece).to.match(/^the (?:file is damaged|workbook has XML)/);
        continue;
      }
      expect(count).to.be.above(1e9);
    }
  });
});
