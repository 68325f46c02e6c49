import { expect } from 'chai';
import { guardFormula } from '../src/sheet.js';
import { read } from './read-list.js';

/** The rows of a list, as `LINE ID FIRST|LAST`, or `LINE! MESSAGE`. */
async function sayings(list: string | Uint8Array): Promise<readonly string[]> {
  const { rows, lines } = await read(list);
  return lines.map((said, index) => (said.includes('!') ? said : `${rows[index]?.line} ${said}`));
}

const ada = '0A0A0A Ada|Lovelace';

describe('A list of names in CSV', () => {
  for (const [name, separator] of Object.entries({ semicolons: ';', tabs: '\t', commas: ',' })) {
    it(`has its columns between ${name}`, async () => {
      const line = ['0A0A0A', 'Ada', '"Love;lace,\t"'].join(separator);
      expect(await sayings(`${line}\n${line}\n`)).to.deep.equal([
        '1 0A0A0A Ada|Love;lace,',
        '2 0A0A0A Ada|Love;lace,',
      ]);
    });
  }

  it('prefers semicolons to equally many commas, and tabs to commas', async () => {
    expect(await sayings('0A0A0A;Ada, Countess')).to.deep.equal(['1 0A0A0A Ada, Countess|']);
    expect(await sayings('0A0A0A\tAda, Countess')).to.deep.equal(['1 0A0A0A Ada, Countess|']);
  });

  it('uses the most frequent separator outside quotes in the first line, not in a later one', async () => {
    expect(await sayings('0A0A0A,"a;b;c;d",Lovelace\n0A0A0A,;;;;,x')).to.deep.equal([
      '1 0A0A0A a;b;c;d|Lovelace',
      '2 0A0A0A ;;;;|x',
    ]);
  });

  it('may have white space around cells, and rows without the last cells', async () => {
    expect(
      await sayings(' Tags ; First name ; Last name \n 0A0A0A ; Ada ; Lovelace \n0B0B0B; Bob\n'),
    ).to.deep.equal([`2 ${ada}`, '3 0B0B0B Bob|']);
  });

  it('has its titles in the first hundred columns', async () => {
    const fillers = (count: number): string => 'x;'.repeat(count);
    expect(await sayings(`${fillers(98)}id;first\n${';'.repeat(98)}0A0A0A;Ada`)).to.deep.equal([
      '2 0A0A0A Ada|',
    ]);
    expect((await sayings(`${fillers(99)}id;first\n${';'.repeat(99)}0A0A0A;Ada`))[0]).to.match(
      /^1! .*neither known titles nor a tag/,
    );
  });

  it('may begin with lines that are empty, or of spaces', async () => {
    expect(await sayings('\n  \n0A0A0A;Ada;Love,lace\n')).to.deep.equal(['3 0A0A0A Ada|Love,lace']);
  });

  it('may declare its separator, as for Excel', async () => {
    expect(await sayings('sep=;\r\n0A0A0A;Ada, Augusta, Byron, Noel;\r\n')).to.deep.equal([
      '2 0A0A0A Ada, Augusta, Byron, Noel|',
    ]);
    expect(await sayings('"SEP=,"\r0A0A0A,Ada;Augusta,Lovelace')).to.deep.equal([
      '2 0A0A0A Ada;Augusta|Lovelace',
    ]);
    expect(await sayings('sep=;\n0A0A0A;Ada;Lovelace\n0B0B0B;"Bob')).to.deep.equal([
      `2 ${ada}`,
      '3! a quote is opened here, or soon after, and not closed',
    ]);
  });

  for (const [name, end] of Object.entries({ Windows: '\r\n', Unix: '\n', 'old Macs': '\r' })) {
    it(`may have the line ends of ${name}, and none at the end`, async () => {
      const text = ['id;vorname;nachname', '0A0A0A;Ada;Lovelace', '', ';;', '0B0B0B;Bob;'].join(end);
      expect(await sayings(text)).to.deep.equal([`2 ${ada}`, '5 0B0B0B Bob|']);
    });
  }

  it('may have one column for the name, without titles', async () => {
    expect(await sayings('0A0A0A;Ada Lovelace')).to.deep.equal(['1 0A0A0A Ada Lovelace|']);
  });

  it('does not read a person called Name as a row of titles', async () => {
    expect(await sayings('0A0A0A;Ada;Name')).to.deep.equal(['1 0A0A0A Ada|Name']);
  });

  it('is refused at rows without titles that have too few or too many columns', async () => {
    expect(await sayings('0A0A0A\n0A0A0A;Ada;Lovelace;;\n0A0A0A;Ada;Lovelace;7b\n')).to.deep.equal([
      '1! there must be id, first name and last name; there is one column; choose the columns by title or number: id-column, first-column, last-column',
      `2 ${ada}`,
      '3! there must be id, first name and last name; there is 4 columns; choose the columns by title or number: id-column, first-column, last-column',
    ]);
  });

  it('may have several tags for a person, as in an export', async () => {
    expect(await sayings('Last name;First name;Tags\nLovelace;Ada;"0A-0A-0A, 0B-0B-0B"')).to.deep.equal([
      '2 0A-0A-0A, 0B-0B-0B Ada|Lovelace',
    ]);
  });

  it('keeps quotes, and lines, that are part of a name', async () => {
    expect(
      await sayings('0A0A0A;Jim "Jo" J;"say ""hi"""\n0B0B0B;"a\nb";c\n0A0A0A;Ada;Lovelace'),
    ).to.deep.equal(['1 0A0A0A Jim "Jo" J|say "hi"', '3 0B0B0B a\nb|c', `4 ${ada}`]);
  });

  it('loses the quotation mark that an export puts before possible formulas', async () => {
    for (const text of ['=1+1', '-Ada', '@home', "'=x", 'plain', "'t Hooft", '＝1']) {
      const [said] = await sayings(`0A0A0A;${guardFormula(text)};Lovelace`);
      expect(said).to.equal(`1 0A0A0A ${text}|Lovelace`);
    }
  });

  it('loses the quotation mark before an id that would be a date or a number', async () => {
    expect(await sayings("'01-02-03;Ada;Lovelace")).to.deep.equal(['1 01-02-03 Ada|Lovelace']);
    expect(await sayings(`"'01-02-03, '04-05-06, 0A'0A";Ada;Lovelace`)).to.deep.equal([
      "1 01-02-03, 04-05-06, 0A'0A Ada|Lovelace",
    ]);
  });

  it('is refused if a spreadsheet has changed an id into a number', async () => {
    for (const id of ['1.2E+46', '1,2e+46', '12E+45678']) {
      expect((await sayings(`id;first;last\n"${id}";Ada;`))[0], id).to.match(
        /^2! .*format its column as text/,
      );
    }
  });

  it('is refused from an unclosed quote or a too long cell on', async () => {
    expect(await sayings('0A0A0A;Ada;Lovelace\n0B0B0B;"Bob;\n0C0C0C;Carl;\n')).to.deep.equal([
      `1 ${ada}`,
      '2! a quote is opened here, or soon after, and not closed',
    ]);
    expect(await sayings(`0A0A0A;${'A'.repeat(10_001)};Lovelace\n`)).to.deep.equal([
      '1! a cell is longer than 10000 characters',
    ]);
  });
});

describe('A list of names in JSON Lines', () => {
  it('has an object in each line, with the name in it or flat', async () => {
    const lines = [
      '{"id":"0A0A0A","first":"Ada","last":"Lovelace"}',
      '',
      ' ',
      '{"id":"0A0A0A","name":{"first":"Ada","last":"Lovelace"}}',
    ];
    for (const end of ['\r\n', '\n', '\r'])
      expect(await sayings(lines.join(end))).to.deep.equal([`1 ${ada}`, `4 ${ada}`]);
  });

  it('has the person, the number and groups, and several tags', async () => {
    const line =
      '{"person":"p1","id":["0A0A0A",7],"number":12,"first":"Ada","last":"L","groups":["7b","Board"]}';
    expect((await read(line)).rows).to.deep.equal([
      {
        ...{ line: 1, person: 'p1', tags: ['0A0A0A', '7'], number: '12', name: { first: 'Ada', last: 'L' } },
        groups: ['7b', 'Board'],
      },
    ]);
    const chosen = await read('{"class":"7b","nr":"","first":"Ada","last":null}', {
      group: 'class',
      number: 'nr',
    });
    expect(chosen.rows).to.deep.equal([
      { line: 1, tags: [], number: '', name: { first: 'Ada', last: '' }, groups: ['7b'] },
    ]);
  });

  it('is refused at values that are not text', async () => {
    for (const [line, key] of [
      ['{"id":{},"first":"Ada"}', 'id'],
      ['{"id":[[]],"first":"Ada"}', 'id'],
      ['{"id":1.5,"first":"Ada"}', 'id'],
      ['{"id":12345678901234567890,"first":"Ada"}', 'id'],
      ['{"first":[],"__proto__":{"last":"x"}}', 'first'],
      ['{"name":7}', 'name'],
      ['{"name":{"first":"Ada","last":true}}', 'last'],
      ['{"first":"Ada","groups":{"7b":1}}', 'groups'],
    ])
      expect((await read(`\n${line}`)).lines).to.deep.equal([`2! the value of ${key} is not a text`]);
  });

  it('is refused at each line without an object', async () => {
    const lines = [
      '{"id":"0A0A0A","first":"Ada","last":"Lovelace"}',
      '{',
      '[]',
      'null',
      `{"id":"${'A'.repeat(1e4)}"}`,
      '7',
      '"Ada"',
      `{"id":"0A0A0A","first":"Ada","last":"L"}`.padEnd(10_000),
    ];
    expect((await sayings(lines.join('\n'))).map((said) => said.slice(0, 30))).to.deep.equal([
      `1 ${ada}`,
      '2! the line is not a JSON obje',
      '3! the line is not a JSON obje',
      '4! the line is not a JSON obje',
      '5! the line is longer than 100',
      '6! the line is not a JSON obje',
      '7! the line is not a JSON obje',
      '8 0A0A0A Ada|L',
    ]);
  });
});

describe('A list of names', () => {
  it('is refused if there are no names in it', async () => {
    for (const text of ['', '\uFEFF', '\r\n\n', ' ;;\n', 'id;first;last\n']) {
      expect(await sayings(text), JSON.stringify(text)).to.deep.equal(['1! the list has no names']);
    }
  });

  it('is refused if it is an old or damaged file of a spreadsheet program', async () => {
    for (const bytes of [
      Buffer.from('PK\u0003\u0004\u0014\0', 'latin1'),
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    ]) {
      expect((await sayings(bytes))[0]).to.match(/^1! .*save .*as XLSX.* as CSV/);
    }
  });

  it('lets other work run while a long one is read', async () => {
    const line = '0A0A0A;Ada;Lovelace\n';
    for (const text of [line, '{"id":"0A0A0A","first":"Ada","last":"L"}\n'].map((one) => one.repeat(5_000))) {
      let turns = 0;
      const counting = setInterval(() => turns++, 0);
      const { lines } = await read(text);
      clearInterval(counting);
      expect(lines.length).to.equal(5_000);
      expect(turns).to.be.at.least(5);
    }
  });

  it('is refused if its table has too many rows, empty ones among them', async () => {
    expect(await sayings(`0A0A0A;Ada;Lovelace\n${';\n'.repeat(20_000)}`)).to.deep.equal([
      `1 ${ada}`,
      '20001! the table has more than 20000 rows',
    ]);
  });

  it('is read to its end, for every content', async () => {
    const size = 65_536;
    const hostile = [';', '"', '\t', ' ', '\n', '\r', '{', '0A;"', '"\n', 'é'].map((piece) =>
      piece.repeat(size / piece.length),
    );
    for (const text of [...hostile, `{${'['.repeat(size)}`, `"${'a'.repeat(size)}`]) {
      const said = await sayings(text);
      expect(said.length, JSON.stringify(text.slice(0, 5))).to.equal(1);
      expect(said[0]).to.match(/^\d+! (?:the list has no names|.* is longer than 10000 characters)$/);
    }
  });
});
