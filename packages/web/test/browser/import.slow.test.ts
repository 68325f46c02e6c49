import { expect } from 'chai';
import { BrowserFixture, expectAccessible, expectWhole, LOOKS, textsOf } from './fixtures/browser.js';
import { ADA, GRACE } from './fixtures/record.js';

const ALONZO = '0A0B0C0D';

const GOOD = `Chip;Vorname;Nachname\n${ADA};Ada;King\n${GRACE};Grace;Hopper\n${ALONZO};Alonzo;Church\n`;
const MIXED = `${GOOD}XX;Bad;Line\n0A0B0C0E;;\n;No;Tag\n`;

const CHECK = { 'en-GB': 'Preview changes', 'de-DE': 'Zeigen, was sich ändern würde' };

describe('the page that takes names from a list', () => {
  const fixture = new BrowserFixture();

  beforeEach(() => fixture.service.nameBoth());

  for (const { language, screens } of LOOKS) {
    it(`is whole and accessible in ${language} on small and wide screens, light and dark`, async () => {
      const page = await fixture.open({ language, page: '/people/import' });
      await expectWhole(page, screens);
      await page.getByRole('textbox').fill(MIXED);
      await page.getByRole('button', { name: CHECK[language] }).press('Enter');
      await page.locator('.refused').waitFor();
      await expectWhole(page, screens);
    });
  }

  it('shows what pasted lines would change, and changes it only then', async () => {
    const page = await fixture.open({ page: '/people/import' });
    await page.getByRole('textbox').fill(GOOD);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('2 people would be added or changed').first().waitFor();
    expect(await textsOf(page, '.tiles dd')).to.deep.equal(['1', '1', '1', '0', '0', '0']);
    expect(await textsOf(page, 'tbody tr')).to.satisfy(([first, second]: string[]) =>
      Boolean(first?.includes('Lovelace, Ada') && second?.includes('New')),
    );
    expect(await fixture.service.nameOf(ALONZO)).to.equal(undefined);
    await page.getByRole('button', { name: 'Save 2 people' }).press('Enter');
    await page.getByText('2 people were saved.').waitFor();
    expect(await fixture.service.nameOf(ADA)).to.deep.equal({ first: 'Ada', last: 'King' });
  });

  it('takes a file as spreadsheets save it, with its encoding', async () => {
    const page = await fixture.open({ page: '/people/import' });
    const buffer = Buffer.from(`Karte;Vorname;Nachname\r\n${ALONZO};Jürgen;Müller\r\n`, 'latin1');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'Mitglieder.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('rowheader', { name: 'Müller, Jürgen' }).waitFor();
    await page.getByRole('button', { name: 'Save 1 person' }).press('Enter');
    await page.getByText('1 person was saved.').waitFor();
    expect(await fixture.service.nameOf(ALONZO)).to.deep.equal({ first: 'Jürgen', last: 'Müller' });
  });

  it('shows how the list was read before it is saved, and reads it otherwise by choice', async () => {
    const page = await fixture.open({ page: '/people/import' });
    const list = `ID;Karte;Nom;Prénom;Klasse\r100101;${ALONZO};Größe;Jürgen;7b\r100102;;Muster;Ben;7b\rSumme;;2;;\r`;
    const bytes = { ü: 0x9f, ö: 0x9a, ß: 0xa7, é: 0x8e } as Record<string, number>;
    const buffer = Buffer.from(Array.from(list, (letter) => bytes[letter] ?? letter.charCodeAt(0)));
    await page.locator('input[type=file]').setInputFiles({ name: 'all.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('rowheader', { name: 'Größe, Jürgen' }).waitFor();
    expect(await textsOf(page, '.notice li')).to.deep.equal([
      'The file does not name its encoding. It was read as macintosh: Prénom, Größe, Jürgen. If letters are wrong, choose another encoding.',
      'The tag is taken from the column "Karte". Not used: "ID".',
      'Left out, because they are not of a person: line 4 "Summe 2".',
    ]);
    await page.getByLabel('Encoding').selectOption('windows-1252');
    await page.getByRole('rowheader', { name: 'Grš§e' }).waitFor();
    await page.getByLabel('Encoding').selectOption('macintosh');
    await page.getByRole('rowheader', { name: 'Größe, Jürgen' }).waitFor();
    await page.getByLabel('First name').selectOption('Nom');
    await page.getByLabel('Last name').selectOption('Prénom');
    await page.getByRole('rowheader', { name: 'Jürgen, Größe' }).waitFor();
    await page.getByLabel('Tag').selectOption('ID');
    await page.getByRole('rowheader', { name: 'Ben, Muster' }).waitFor();
    await page.getByLabel('Tag').selectOption('Karte');
    await page.getByText('0A 0B 0C 0D').waitFor();
    await page.getByRole('button', { name: 'Save 2 people' }).press('Enter');
    await page.getByText('2 people were saved.').waitFor();
    expect(await fixture.service.nameOf(ALONZO)).to.deep.equal({ first: 'Größe', last: 'Jürgen' });
  });

  it('lets the columns of a list be chosen whose titles are not known', async () => {
    const page = await fixture.open({ page: '/people/import' });
    await page.getByRole('textbox').fill(`Kort;Efternamn;Förnamn\n${ALONZO};Church;Alonzo`);
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter');
    await page.getByText('1 line cannot be imported').waitFor();
    await page.getByLabel('Tag').selectOption('Kort');
    await page.getByText('1 line cannot be imported').waitFor();
    await page.getByLabel('First name').selectOption('Förnamn');
    await page.getByRole('rowheader', { name: 'Alonzo' }).waitFor();
    await page.getByLabel('Last name').selectOption('Efternamn');
    await page.getByRole('rowheader', { name: 'Church, Alonzo' }).waitFor();
  });

  it('names refused lines by their number, and takes the others if that is wanted', async () => {
    const page = await fixture.open({ page: '/people/import' });
    await page.getByRole('textbox').fill(MIXED);
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter');
    await page.getByText('2 lines cannot be imported').waitFor();
    expect(await textsOf(page, '.refused strong')).to.deep.equal(['Line 5:', 'Line 6:']);
    await page.getByRole('button', { name: 'Save the other 3 people' }).press('Enter');
    await page.getByText('3 people were saved.').waitFor();
    expect(await fixture.service.nameOf(ALONZO)).to.deep.equal({ first: 'Alonzo', last: 'Church' });
  });

  it('takes lines of one name as new people by one press, if nobody has that name yet', async () => {
    const page = await fixture.open({ page: '/people/import' });
    await page.getByRole('textbox').fill(`Vorname;Nachname;Klasse\nBerta;Muster;7b\nBerta;Muster;8b\n`);
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Who is this? 2 lines to decide' }).waitFor();
    await page.getByRole('button', { name: 'All 2 are new people' }).press('Enter');
    await page.getByRole('button', { name: 'Save 2 people' }).press('Enter');
    await page.getByRole('heading', { name: '2 people were saved.' }).waitFor();
  });

  it('asks who a doubtful line is, by the keyboard alone, and saves only then', async () => {
    const berta = { name: { first: 'Berta', last: 'Muster' } };
    const one = await fixture.service.send<{ id: string }>('/api/person', { ...berta, number: '17' });
    await fixture.service.send('/api/person', { ...berta, number: '18' });
    const page = await fixture.open({ page: '/people/import' });
    await page.getByRole('textbox').fill(`Vorname;Nachname;Klasse\nBerta;Muster;7b\nNeu;Kind;7b\n`);
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter');
    await page.getByText('Who is this? 1 line to decide').waitFor();
    await page.getByText('Several people or lines have this name.').waitFor();
    await expectAccessible(page);
    const save = page.getByRole('button', { name: /^Save/ });
    expect(await save.isDisabled()).to.equal(true);
    await page.getByText('1 line is still open.').waitFor();
    await page.getByRole('radio', { name: 'It is Berta Muster 17' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Save 2 people' }).press('Enter');
    await page.getByRole('heading', { name: '2 people were saved.' }).waitFor();
    await page.getByText('Without a tag: 2.').waitFor();
    await expectAccessible(page);
    const response = await fixture.service.request('GET', `/api/person?id=${one.id}`);
    expect(await response.json()).to.deep.include({ groups: ['7b'], number: '17' });
    await page.getByRole('link', { name: 'Give 2 people their tags' }).waitFor();
  });

  it('asks whether a new tag replaces a lost one, and offers who is not in the list', async () => {
    const page = await fixture.open({ page: '/people/import' });
    await page.getByRole('textbox').fill(`Karte;Vorname;Nachname\n${ALONZO};Ada;Lovelace\n`);
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter');
    await page.getByRole('combobox', { name: 'Tag' }).last().selectOption('Replaces the lost one');
    await page.getByText('1 member is not in the list').waitFor();
    await page.getByRole('button', { name: 'Save 1 person' }).press('Enter');
    await page.getByRole('heading', { name: '1 person was saved.' }).waitFor();
    expect(await fixture.service.nameOf(ALONZO)).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
    expect(await fixture.service.nameOf(ADA)).to.equal(undefined);
    await page.getByRole('button', { name: 'Has left: Hopper, Grace' }).press('Enter');
    await page.getByText(/^Left on/).waitFor();
    await expectAccessible(page);
    const response = await fixture.service.request('GET', '/api/person?id=tag-' + GRACE);
    expect(((await response.json()) as { until: number | null }).until).to.be.a('number');
  });

  it('says that nothing would change, and takes another list', async () => {
    const page = await fixture.open({ page: '/people/import' });
    await page.getByRole('textbox').fill(`${GRACE};Grace;Hopper`);
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter');
    await page.getByText('Nothing would change').waitFor();
    expect(await page.getByRole('button', { name: /^Save/ }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Another list' }).press('Enter');
    await page.getByRole('textbox').waitFor();
  });

  it('says that a list is too large', async () => {
    const page = await fixture.open({ page: '/people/import', allowsErrors: true });
    const buffer = Buffer.alloc(2_000_000, 'x');
    await page.locator('input[type=file]').setInputFiles({ name: 'all.csv', mimeType: 'text/csv', buffer });
    await page.getByText('Too large').waitFor();
    await expectAccessible(page);
  });

  it('says that the service is gone', async () => {
    const page = await fixture.open({ page: '/people/import', allowsErrors: true });
    await fixture.service.kill();
    await page.getByRole('textbox').fill(GOOD);
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter');
    await page.getByText('The service did not respond').waitFor();
  });
});
