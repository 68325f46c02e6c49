import { expect } from 'chai';
import { readNameList, remarksOf } from '@tallybook/spreadsheets';
import { read } from './read-list.js';
import { collect } from './sheets.js';

const anna = '04A2B3C4D5 Anna|Beispiel';
const HOW = 'choose the columns by title or number: id-column, first-column, last-column';

describe('A list of names as people have it', () => {
  it('has the tag in the column of cards, not in that of the numbers of rows', async () => {
    const list = 'ID,First name,Last name,Card number\n100101,Anna,Beispiel,04A2B3C4D5\n';
    const { lines, reading } = await read(list);
    expect(lines).to.deep.equal([anna]);
    expect(reading.columns).to.deep.include({ ids: [3], first: 1, last: 2, number: undefined });
    expect(reading.unused).to.deep.equal(['ID']);
    expect((await read(list, { id: 'id' })).lines).to.deep.equal(['100101 Anna|Beispiel']);
    expect((await read(list, { id: '1' })).reading.unused).to.deep.equal(['Card number']);
  });

  for (const titles of [
    'Card number;Given name;Surname',
    'Kartennummer;Vorname;Name',
    'Transponder-ID;Rufname;Familienname',
    'N° badge;Prénom;Nom',
    'Numéro de carte;Prénom(s);Nom de famille',
    'Numero tessera;Nome;Cognome',
    'Codice badge;Nome;Cognome',
    'Nº de tarjeta;Nombre;Apellidos',
    'Tarjeta;Nombre;Primer apellido',
    'Pasnummer;Voornaam;Achternaam',
    'Nr. kaart;Roepnaam;Familienaam',
    'Numer karty;Imię;Nazwisko',
    'RFID-Tag UID;FIRST_NAME;LAST_NAME',
    'ID;First name;Last name',
    'Karten-Nr.;Vorname;Nachname',
    'Chip ID;Vorname;Name',
    'uid;GivenName;family_name',
  ]) {
    it(`may have the columns ${titles}, in each order`, async () => {
      const [id = '', first = '', last = ''] = titles.split(';');
      for (const list of [
        `${id};${first};${last}\n04A2B3C4D5;Anna;Beispiel`,
        `${last};Remark;${id};${first}\nBeispiel;x;04A2B3C4D5;Anna`,
      ])
        expect((await read(list)).lines).to.deep.equal([anna]);
    });
  }

  it('may have the whole name in one column, which a title of a last name outranks', async () => {
    for (const title of ['Name', 'Nom complet', 'Nominativo', 'Imię i nazwisko'])
      expect((await read(`Badge;${title}\n0A0A0A;Ada King`)).lines).to.deep.equal(['0A0A0A |Ada King']);
    expect((await read('Badge;Name;Vorname;Nachname\n0A0A0A;Ada King;Ada;King')).lines).to.deep.equal([
      '0A0A0A Ada|King',
    ]);
  });

  it('is refused with one cause if two columns could be the tag, by title or content, until one is chosen', async () => {
    for (const [titles, cause] of [
      ['Badge;Chip;Vorname;Nachname', `1! several columns could be the tag: "Badge", "Chip"; ${HOW}`],
      [
        'Zahl;Geburtstag;Vorname;Nachname',
        `1! several columns could be the tag: "Zahl", "Geburtstag"; ${HOW}`,
      ],
    ] as const) {
      const list = `${titles}\n04A2B3C4D5;04A2B3C4D6;Anna;Beispiel\n`;
      expect((await read(list)).lines).to.deep.equal([cause]);
      expect((await read(list, { id: titles.split(';')[0] ?? '' })).lines[0]).to.equal(anna);
      expect((await read(list, { id: '2' })).lines[0]).to.equal('04A2B3C4D6 Anna|Beispiel');
    }
  });

  it('is refused with one cause if its titles are in another language, until the columns are chosen', async () => {
    const list = 'Kort;Efternamn;Förnamn\n04A2B3C4D5;Beispiel;Anna\n';
    const { lines, reading } = await read(list);
    expect(lines).to.deep.equal([`1! the first line has neither known titles nor a tag; ${HOW}`]);
    expect(reading.titles).to.deep.equal(['Kort', 'Efternamn', 'Förnamn']);
    for (const choices of [
      { id: 'kort', first: 'Förnamn', last: 'EFTERNAMN' },
      { id: '1', first: '3', last: '2' },
    ]) {
      const chosen = await read(list, choices);
      expect(chosen.lines).to.deep.equal([anna]);
      expect(chosen.reading).to.deep.include({ hasTitles: true, leftOut: [] });
    }
    expect((await read(list, { id: 'Karte', first: '3', last: '2' })).lines).to.deep.equal([
      `1! no column has the title "Karte"; ${HOW}`,
    ]);
  });

  it('does not take names by their order from below titles in another language', async () => {
    const list = 'Kártyaszám;Vezetéknév;Keresztnév\n04A2B3C4D5;Beispiel;Anna\n';
    for (const id of ['1', 'Kártyaszám'])
      expect((await read(list, { id })).lines).to.deep.equal([
        `1! no title of a column with names is known; ${HOW}`,
      ]);
    const chosen = await read(list, { id: 'Kártyaszám', first: '3', last: '2' });
    expect(chosen.lines).to.deep.equal([anna]);
  });

  it('may have no titles and many columns, of which some are chosen', async () => {
    const list = '100101,Anna,Beispiel,04A2B3C4D5\n100102,Ben,Muster,04A2B3C4D6\n';
    expect((await read(list)).lines).to.deep.equal(
      [1, 2].map((line) => `${line}! there must be id, first name and last name; there is 4 columns; ${HOW}`),
    );
    expect((await read(list, { id: '4', first: '2', last: '3' })).lines).to.deep.equal([
      anna,
      '04A2B3C4D6 Ben|Muster',
    ]);
    expect((await read(list, { id: '4' })).lines).to.deep.equal([
      `1! no title of a column with names is known; ${HOW}`,
    ]);
    expect((await read('Anna;Beispiel;04A2B3C4D5', { id: '3' })).lines).to.deep.equal([anna]);
    expect((await read('04A2B3C4D5;Beispiel', { last: '2', first: '0' })).lines).to.deep.equal([
      '04A2B3C4D5 |Beispiel',
    ]);
  });

  it('may have lines above its titles, and a type in the first one', async () => {
    for (const above of [
      'Mitgliederliste\n',
      'Mitglieder, Stand: 1. Mai, 2026\n\n',
      '#TYPE Selected.System.Management.Automation.PSCustomObject\n',
      'Verein;;\nStand;01.05.2026;\n',
    ]) {
      const { lines, reading } = await read(
        `${above}"Karte";"Vorname";"Nachname"\n04A2B3C4D5;Anna;Beispiel\n`,
      );
      expect(lines, above).to.deep.equal([anna]);
      expect(reading.leftOut.map(({ text }) => text)).to.deep.equal(
        above
          .trim()
          .split('\n')
          .map((line) => line.replaceAll(/[;"]/g, ' ').trim()),
      );
    }
  });

  it('may end with a sum, and have headings between persons, which are left out with a word', async () => {
    const list =
      'Karte;Vorname;Nachname\nKlasse 7b;;\n04A2B3C4D5;Anna;Beispiel\nSumme;2;;\n;;60\nGesamt: 60 Mitglieder\n';
    const { lines, reading } = await read(list);
    expect(lines).to.deep.equal([anna]);
    expect(reading.leftOut).to.deep.equal([
      { line: 2, text: 'Klasse 7b' },
      { line: 4, text: 'Summe 2' },
      { line: 5, text: '60' },
      { line: 6, text: 'Gesamt: 60 Mitglieder' },
    ]);
    const bare = await read('Mitglieder\n04A2B3C4D5;Anna;Beispiel\nSumme;2;;');
    expect([bare.lines, bare.reading.leftOut.length]).to.deep.equal([[anna], 2]);
  });

  it('may end with a sum in the columns of names, and a number in that of tags', async () => {
    for (const sum of ['250;Summe;', '250;;Gesamt: Mitglieder', '1.250;Total;', '2;Anzahl;60', '60;;']) {
      const { lines, reading } = await read(`Karte;Vorname;Nachname\n04A2B3C4D5;Anna;Beispiel\n${sum}\n`);
      expect([lines, reading.leftOut.length], sum).to.deep.equal([[anna], 1]);
    }
    for (const person of ['250;Summer;', '6547886;Total;', '250;Total;Recall'])
      expect((await read(`Karte;Vorname;Nachname\n${person}\n`)).reading.leftOut, person).to.deep.equal([]);
  });

  it('may have persons without a tag', async () => {
    for (const list of [
      'Karte;Vorname;Nachname\n04A2B3C4D5;Anna;Beispiel\n;Ben;Muster\n-;Cem;\n',
      '04A2B3C4D5;Anna;Beispiel\n;Ben;Muster\n;Cem;',
      '{"id":"04A2B3C4D5","first":"Anna","last":"Beispiel"}\n{"id":"","first":"Ben","last":""}\n{"id":null,"first":"C","last":""}',
    ]) {
      const { lines, reading } = await read(list);
      expect([lines.slice(0, 2), reading.leftOut]).to.deep.equal([[anna, lines[1]], []]);
      expect(lines[1]).to.match(/^Ben\|/);
      expect(lines[2]).to.match(/^C/);
    }
  });

  it('keeps an id of the form 099,59822 whole, and still separates ids at commas', async () => {
    for (const [cell, ids] of [
      ['"099,59822"', ['099,59822']],
      ['"00099,59822"', ['00099,59822']],
      ['"099,59822, 100,00001"', ['099,59822', '100,00001']],
      ['"0006547886 099,59822"', ['0006547886 099,59822']],
      ['"0A0A0A,0B0B0B,"', ['0A0A0A', '0B0B0B']],
      ['"12345678,59822000"', ['12345678', '59822000']],
    ] as const) {
      const { lines } = await read(`Karte,Vorname\n${cell},Anna`);
      expect(lines).to.deep.equal([`${ids.join(', ')} Anna|`]);
    }
  });

  it('does not take a number with separators of thousands for several ids', async () => {
    for (const cell of ['"6,547,886"', '"123,456"'])
      expect((await read(`Karte;Vorname\n${cell};Anna`)).lines, cell).to.deep.equal([
        '2! the id has become a number; format its column as text',
      ]);
  });

  it('has cells as programs write them so that Excel keeps the zeros', async () => {
    for (const cell of ['="0001234567"', '"=""0001234567"""'])
      expect((await read(`Karte;Vorname;Nachname\n${cell};="Anna";Beispiel`)).lines).to.deep.equal([
        '0001234567 Anna|Beispiel',
      ]);
  });

  it('names the properties of JSON Lines that are not used, and takes the chosen ones', async () => {
    const list = '{"id":100101,"card":"04A2B3C4D5","first":"Anna","surname":"Beispiel","last":""}\n';
    expect((await read(list)).reading.unused).to.deep.equal(['card', 'surname']);
    const chosen = await read(list, { id: 'card', last: 'surname' });
    expect([chosen.lines, chosen.reading.unused]).to.deep.equal([[anna], ['id', 'last']]);
  });

  it('is read in a guessed encoding or a chosen one', async () => {
    const mac = Buffer.from('0A0A0A;J\u009Frgen;Gr\u009A\u00A7e\r', 'latin1');
    const guessed = await read(mac);
    expect(guessed.lines).to.deep.equal(['0A0A0A Jürgen|Größe']);
    expect(guessed.reading.encoding).to.equal('macintosh');
    expect(guessed.reading.guesses[0]).to.deep.equal({ encoding: 'macintosh', words: ['Jürgen', 'Größe'] });
    const chosen = await read(mac, { encoding: 'windows-1252' });
    expect(chosen.lines).to.deep.equal(['0A0A0A JŸrgen|Grš§e']);
    expect(chosen.reading.guesses).to.deep.equal([]);
  });

  it('may have bars between its columns', async () => {
    for (const list of ['04A2B3C4D5|Anna|Beispiel\n', 'Last|First|Card\nBeispiel|Anna|04A2B3C4D5\n'])
      expect((await read(list)).lines).to.deep.equal([anna]);
  });

  it('can be read in each other encoding of single bytes, if the guess is wrong', async () => {
    const { guesses } = (
      await read(Buffer.from('0A0A0A;\xC0\xED\xED\xE0;\xC8\xE2\xE0\xED\xEE\xE2\xE0', 'latin1'))
    ).reading;
    expect(guesses).to.deep.include({ encoding: 'windows-1251', words: ['Анна', 'Иванова'] });
    const greek = await read(Buffer.from('0A0A0A;\xC3\xE9\xFE\xF1\xE3\xEF\xF2;', 'latin1'));
    expect(greek.reading.encoding).to.not.equal('utf-8');
    expect(greek.reading.guesses).to.deep.include({ encoding: 'windows-1253', words: ['Γιώργος'] });
  });

  it('is read to its end in a moment, with titles of every content', async () => {
    for (const piece of ['nr', 'karte', 'no', 'id', 'x;', 'tag;']) {
      const { lines } = await read(`${piece.repeat(9_000 / piece.length)};Vorname\n0A0A0A;Ada`);
      expect(lines.length, piece).to.equal(1);
    }
  });

  it('tells what was taken, guessed and left out, in English and in German', async () => {
    const list =
      'Mitglieder\nID;Karte;Vorname;Nachname\n1;04A2B3C4D5;J\xFCrgen;Beispiel\n2;;Ben;Muster\n3;;Cem;\n;Summe;2;;\n';
    const lines = readNameList(Buffer.from(list, 'latin1'));
    const { reading } = lines;
    await collect(lines);
    expect(remarksOf(reading)).to.deep.equal([
      'The file does not name its encoding. It was read as windows-1252: Jürgen. If letters are wrong, choose another encoding.',
      'The tag is taken from the column "Karte". Not used: "ID".',
      'Left out, because they are not of a person: line 1 "Mitglieder", line 6 "Summe 2".',
    ]);
    expect(remarksOf(reading, 'de').slice(1)).to.deep.equal([
      'Der Chip steht in der Spalte "Karte". Nicht verwendet: "ID".',
      'Ausgelassen, weil darin keine Person steht: Zeile 1 "Mitglieder", Zeile 6 "Summe 2".',
    ]);
    const doubtful = await read('Karte;Vorname\n04A2B3C4D5;JÃ¼rgen');
    expect(remarksOf(doubtful.reading)).to.deep.equal([
      'These letters look wrong: JÃ¼rgen. The file has another encoding, or a program has spoilt it.',
    ]);
  });

  it('has no remarks if there is nothing to say', async () => {
    for (const list of ['04A2B3C4D5;Anna;Beispiel', 'Karte;Vorname\n04A2B3C4D5;Zoë'])
      expect(remarksOf((await read(list)).reading)).to.deep.equal([]);
  });
});
