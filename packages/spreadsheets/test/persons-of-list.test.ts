import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import type { ListedPerson } from '@tallybook/domain/record';
import { writeXlsx as writeOther } from 'hucre/xlsx';
import { dataTexts, languages, textsOf, writeCsv, writeXlsx, type Cell, type Column } from '../src/index.js';
import { read } from './read-list.js';
import { collect, sheetOf } from './sheets.js';

describe('The persons of a list', () => {
  it('may have no tags yet: first and last name alone, or one column of names', async () => {
    for (const [list, ...lines] of [
      ['Vorname;Nachname\nAda;Lovelace\nBob;', 'Ada|Lovelace', 'Bob|'],
      ['Last name,First name\nLovelace,Ada', 'Ada|Lovelace'],
      ['Name\nAda Lovelace\nBob', '|Ada Lovelace', '|Bob'],
      ['Name;Klasse\nAda Lovelace;7b', '|Ada Lovelace (7b)'],
    ] as const)
      expect((await read(list)).lines, list).to.deep.equal(lines);
  });

  for (const title of [
    'Mitgliedsnummer',
    'Mitglieds-Nr.',
    'Personalnummer',
    'Pers.-Nr.',
    'Schülernummer',
    'Matrikelnr.',
    'Member number',
    'Membership No.',
    'Employee ID',
    'Student number',
    'Numéro de membre',
    "N° d'adhérent",
    'N° licence',
    'Matricule',
    'Licence',
    'Numero socio',
    'Matricola',
    'Número de socio',
    'N.º de alumno',
    'Lidnummer',
    'Personeelsnummer',
    'Leerlingnummer',
    'Numer członkowski',
    'Nr pracownika',
    'Number',
    'Nr.',
    'Nummer',
    'Número',
    'Numéro',
  ])
    it(`may have a number in the column ${title}, with a tag or without`, async () => {
      expect((await read(`${title};Karte;Vorname\n0012;0A0A0A;Ada`)).lines).to.deep.equal([
        '0A0A0A Ada| #0012',
      ]);
      expect((await read(`${title};Vorname\n12;Ada\n;Bob`)).lines).to.deep.equal(['Ada| #12', 'Bob| #']);
    });

  for (const title of [
    'Gruppe',
    'Gruppen',
    'Klasse',
    'Abteilung',
    'Zug',
    'Mannschaft',
    'Group',
    'Class',
    'Team',
    'Squad',
    'Department',
    'Groupe',
    'Classe',
    'Équipe',
    'Gruppo',
    'Squadra',
    'Grupo',
    'Clase',
    'Groep',
    'Klas',
    'Klasa',
    'Grupa',
  ])
    it(`may have groups in the column ${title}`, async () => {
      const { lines } = await read(`Vorname;${title}\nAda;1st squad, board\nBob;7/8 / 7b, ★\nCem;-`);
      expect(lines).to.deep.equal(['Ada| (1st squad, board)', 'Bob| (7/8, 7b, ★)', 'Cem| ()']);
    });

  it('have the groups of several columns and of several lines, each once', async () => {
    const { lines } = await read('Vorname;Klasse;Gruppe 1;Gruppe 2\nAda;7b;"Board;7b\nChoir";\'-x');
    expect(lines).to.deep.equal(['Ada| (7b, Board, Choir, -x)']);
  });

  it('have the tags of several columns of one title', async () => {
    for (const titles of ['Tag;Tag 2;Tag 10', 'Chip;Chip;Chip', 'Card no. 1;Card no. 2;Card no. 3']) {
      const { lines, reading } = await read(`Vorname;${titles}\nAda;0A0A0A;;"0B0B0B, 0C0C0C"\nBob;;;`);
      expect(lines).to.deep.equal(['0A0A0A, 0B0B0B, 0C0C0C Ada|', 'Bob|']);
      expect(reading.columns.ids).to.deep.equal([1, 2, 3]);
    }
  });

  it('have the number, groups and person of chosen columns, or none', async () => {
    const list = 'A;B;C;Karte;Vorname;Nr.;Klasse\np1;12;7b;0A0A0A;Ada;1;8a';
    const { lines } = await read(list, { person: 'A', number: 'b', group: '3' });
    expect(lines).to.deep.equal(['0A0A0A Ada| #12 (7b) =p1']);
    const none = await read(list, { number: '0', group: '0', person: '0' });
    expect(none.lines).to.deep.equal(['0A0A0A Ada|']);
    expect(none.reading.unused).to.deep.equal(['A', 'B', 'C', 'Nr.', 'Klasse']);
    expect((await read('7b;Ada;Lovelace;12', { id: '0', group: '1', number: '4' })).lines).to.deep.equal([
      'Ada|Lovelace #12 (7b)',
    ]);
    expect((await read('0A0A0A;Ada;Lovelace;7b', { group: '4' })).lines).to.deep.equal([
      '0A0A0A Ada|Lovelace (7b)',
    ]);
    for (const part of ['number', 'group', 'person'] as const) {
      const { lines: refused, reading } = await read(list, { [part]: 'X' });
      expect(refused).to.deep.equal([
        `1! no column has the title "X"; choose the columns by title or number: id-column, first-column, last-column, ${part}-column`,
      ]);
      expect(reading.questions).to.deep.equal([{ part, couldBe: [] }]);
    }
  });

  it('are asked for if columns can be told neither by title nor by content, with those that they could be', async () => {
    for (const [list, questions] of [
      ['Badge;Chip;Vorname\n0A0A0A;0B0B0B;Ada', [{ part: 'id', couldBe: [0, 1] }]],
      ['Kort;Vorname;Ort\n04A2B3C4;Ada;Ulm\n04 A2 B3 C4;Bob;Ulm', [{ part: 'id', couldBe: [0] }]],
      [
        'Nr.;Vorname\n6547886;Ada',
        [
          { part: 'id', couldBe: [0] },
          { part: 'number', couldBe: [0] },
        ],
      ],
      [
        'Nr.;X;Vorname\n0A0A0A0A;0B0B0B0B;Ada',
        [
          { part: 'id', couldBe: [0, 1] },
          { part: 'number', couldBe: [0] },
        ],
      ],
      ['Mitgliedsnr.;Personalnr.;Vorname\n1;2;Ada', [{ part: 'number', couldBe: [0, 1] }]],
      [
        'Karte;Klasse\n0A0A0A;7b',
        [
          { part: 'first', couldBe: [] },
          { part: 'last', couldBe: [] },
        ],
      ],
    ] as const) {
      const { lines, reading } = await read(list);
      expect(lines.length, list).to.equal(1);
      expect(lines[0], list).to.match(
        /^1! (?:one column could be .*"(?:Kort|Nr\.)"|several columns could be .*"|no title .* is known); choose the columns by title or number: id-column/,
      );
      expect(reading.questions, list).to.deep.equal(questions);
    }
  });

  it('have the tags of the chosen column, though others could be it', async () => {
    expect((await read('Badge;Chip;Vorname\n0A0A0A;0B0B0B;Ada', { id: 'Chip' })).lines).to.deep.equal([
      '0B0B0B Ada|',
    ]);
    expect((await read('Kort;Vorname\n04A2B3C4;Ada', { id: '0' })).lines).to.deep.equal(['Ada|']);
  });

  it('are not asked for at phone numbers, dates, postcodes, or words that are hex', async () => {
    for (const value of ['01711234567', '01.05.2026', '12345678', 'decade', '089 123456'])
      expect((await read(`Vorname;X\nAda;${value}`)).lines, value).to.deep.equal(['Ada|']);
  });

  it('have no tag in a column ID of short numbers, which numbers them', async () => {
    const { lines, reading } = await read('ID;Vorname\n1;Ada\n12345;Bob');
    expect(lines).to.deep.equal(['Ada| #1', 'Bob| #12345']);
    expect(reading.columns).to.deep.include({ ids: [], number: 0 });
    expect((await read('ID;Vorname\n1;Ada\n0A0A0A;Bob')).lines).to.deep.equal(['1 Ada|', '0A0A0A Bob|']);
  });

  it('are not rows that wait for a name, headings within the list, or sums', async () => {
    const { lines, reading } = await read(
      'Nr.;Nachname;Vorname;Karte;Klasse\n;Klasse 7b;;;\n1;Lovelace;Ada;;7b\n2;;;;\n;Summe;;;2\n;Gesamt: 2;;;\n3;Total;;;\n4;Total;Recall;;\n;Bob;;;',
    );
    expect(lines).to.deep.equal(
      ['Ada|Lovelace #1 (7b)', 'Recall|Total #4 ()', '|Bob # ()'].map((s) =>
        s.replace('|Bob', '|Bob').trim(),
      ),
    );
    expect(reading.leftOut.map(({ line }) => line)).to.deep.equal([2, 4, 5, 6, 7]);
  });

  it('have a person of our exports only beside a name', async () => {
    expect((await read('Person;Karte\nAda Lovelace;0A0A0A')).lines).to.deep.equal(['0A0A0A |Ada Lovelace']);
    expect((await read('Person ID;Vorname\nx1;Ada\n;Bob')).lines).to.deep.equal(['Ada| =x1', 'Bob|']);
  });

  it('have the id of a person as exports and spreadsheet programs write it', async () => {
    for (const [cell, id] of [
      ['0123456789ABCD', '0123456789ABCD'],
      ['01-23-45-67-89-ab-cd', '0123456789ABCD'],
      ['345678901234', '00345678901234'],
      ["'00345678901234", '00345678901234'],
      ['tag-0A-0B-0C', 'tag-0A0B0C'],
      ['tag-123456', 'tag-123456'],
      ['somebody', 'somebody'],
    ])
      expect((await read(`Person;Vorname\n${cell};Ada`)).lines, cell).to.deep.equal([`Ada| =${id}`]);
    expect((await read('Person;Vorname\n1,23E+15;Ada')).lines).to.deep.equal([
      '2! the id of the person has become a number; format its column as text',
    ]);
  });

  it('are refused at a number that a program has changed', async () => {
    expect((await read('Nr.;Vorname\n1,2E+11;Ada', { number: 'Nr.' })).lines).to.deep.equal([
      '2! the number has become a number; format its column as text',
    ]);
  });

  it('are read from a workbook of another program', async () => {
    const bytes = await writeOther({
      sheets: [
        {
          name: 'Mitglieder',
          rows: [
            ['Mitgliedsnummer', 'Nachname', 'Vorname', 'Chip', 'Gruppe', 'Eintritt'],
            [1001, 'Lovelace', 'Ada', 12345678901, '1. Mannschaft; Vorstand', new Date('2026-05-01')],
            ['A-17', 'Größe', 'Bob', '', null, null],
          ],
        },
      ],
    });
    const { lines, reading } = await read(bytes);
    expect(lines).to.deep.equal([
      '12345678901 Ada|Lovelace #1001 (1. Mannschaft, Vorstand)',
      'Bob|Größe #A-17 ()',
    ]);
    expect(reading.unused).to.deep.equal(['Eintritt']);
  });
});

describe('An exported table of persons', () => {
  it("has rows of tags that are nobody's, which are left out", async () => {
    const { lines, reading } = await read(
      'Last name,First name,Person,Tags\nLovelace,Ada,0123456789ABCD,0A0A0A\n,,,0B0B0B\n',
    );
    expect(lines).to.have.length(1);
    expect(reading.leftOut.map(({ line }) => line)).to.deep.equal([3]);
  });

  const persons: readonly Omit<ListedPerson, 'line'>[] = [
    {
      ...{ person: 'tag-0A0A0A', tags: ['0A0A0A', '12E45678'], number: '0012', groups: ['7b', '-board'] },
      name: { first: '=Ada', last: "O'Hara" },
    },
    { person: '0123456789ABCD', tags: [], number: '', groups: [], name: { first: '', last: 'Summe 7' } },
    {
      person: '00345678901234',
      tags: ['010203'],
      number: '-7',
      groups: ['1/2'],
      name: { first: 'Bob', last: '' },
    },
  ];

  for (const [name, texts] of [
    ...languages.map((each) => [each, textsOf[each]] as const),
    ['data', dataTexts] as const,
  ])
    for (const format of ['csv', 'xlsx'] as const)
      it(`gives the same persons when it is read again: ${name} in ${format}`, async () => {
        const kinds: readonly (readonly [string, Column['kind']])[] = [
          [texts.person, 'text'],
          [texts.lastName, 'text'],
          [texts.firstName, 'text'],
          [texts.number, 'text'],
          [texts.groups, 'text'],
          [texts.tags, 'text'],
          [texts.days('Europe/Berlin'), 'number'],
          ['2026-11-28', 'time'],
        ];
        const at = { at: toTimestamp(1_795_000_000), day: toDay(20_775) };
        const rows = persons.map((person): readonly Cell[] => [
          ...[person.person, person.name.last, person.name.first, person.number, person.groups?.join(', ')],
          ...[person.tags.map(parseTallyId), 1, at],
        ]);
        // The counts of a group are below the persons.
        rows.push([undefined, '7b', undefined, undefined, undefined, undefined, 2, undefined]);
        rows.push([undefined, 'Board', undefined, undefined, 'Board', undefined, 3, undefined]);
        rows.push(['8a', undefined, undefined, undefined, undefined, undefined, 1, undefined]);
        const columns = kinds.map(([title, kind]) => ({ title, kind, width: 9 }));
        const sheet = { ...sheetOf(...rows), columns };
        const options = { delimiter: 'semicolon', bom: true, zone: 'UTC' } as const;
        const profile = name === 'data' ? 'data' : 'spreadsheet';
        const bytes =
          format === 'xlsx'
            ? Buffer.concat(await collect(writeXlsx(sheet, options)))
            : Buffer.from((await collect(writeCsv(sheet, { ...options, profile }))).join(''));
        const { rows: listed, reading } = await read(bytes);
        const bare = listed.map((row) =>
          'code' in row ? row : { ...row, tags: row.tags.map((tag) => tag.replaceAll('-', '')) },
        );
        expect(bare).to.deep.equal(persons.map((person, index) => ({ line: index + 2, ...person })));
        expect(reading.leftOut.length).to.equal(3);
      });
});
