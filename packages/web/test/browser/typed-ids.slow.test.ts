import { expect } from 'chai';
import { BrowserFixture, expectWhole, goTo, LOOKS, textsOf } from './fixtures/browser.js';

const PRINTED = '0563537489';
const TAG = '2196E651';
const anna = { first: 'Anna', last: 'Beispiel' };

describe('the page at readers of printed numbers', () => {
  const fixture = new BrowserFixture([], { reader: 'stdin:?name=door&format=dec10' });

  beforeEach(async () => {
    await fixture.service.record(PRINTED);
  });

  for (const { language, screens } of LOOKS) {
    it(`shows in ${language} which tag a typed number is and when it was seen, before it is named`, async () => {
      const page = await fixture.open({ language, page: '/people/enrol' });
      await page.locator('#unnamed-list').waitFor();
      await page.getByRole('textbox').first().fill(PRINTED);
      await page.getByText(/dec10 = 21 96 E6 51, .*door/).waitFor();
      await expectWhole(page, screens);
      await page.keyboard.press('Enter');
      await page.locator('.enrol-state', { hasText: '21 96 E6 51' }).waitFor();
      expect(await fixture.service.nameOf(TAG)).to.equal(undefined);
    });
  }

  it('names a person by the printed number, and finds the person by it', async () => {
    const page = await fixture.open({ page: '/people' });
    await page.getByRole('button', { name: 'Add a person' }).press('Enter');
    await page.getByRole('textbox', { name: 'First name' }).fill('Anna');
    await page.getByRole('textbox', { name: 'Last name' }).fill('Beispiel');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Give a tag' }).press('Enter');
    await page.getByRole('textbox', { name: 'Tag' }).fill('563537489');
    // Saved only when it is shown what the number means, and what that changes.
    await page.getByText(/dec10 = 21 96 E6 51, Last seen: .*door/).waitFor();
    await page.getByText('Counts for Anna Beispiel instead of nobody from the beginning (1 day).').waitFor();
    expect(await fixture.service.nameOf(TAG)).to.equal(undefined);
    await page.getByRole('textbox', { name: 'Tag' }).press('Enter');
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await fixture.service.nameOf(TAG)).to.deep.equal(anna);
    await goTo(page, '/people');
    await page.getByRole('searchbox').fill(PRINTED);
    await page.getByText('1 found').waitFor();
    await page.getByRole('link', { name: 'Beispiel, Anna' }).waitFor();
  });

  it('shows what the numbers of a list were read as, and reads them otherwise by choice', async () => {
    const page = await fixture.open({ page: '/people/import' });
    await page
      .getByRole('textbox')
      .fill(`Karte;Vorname;Nachname\n${PRINTED};Anna;Beispiel\n0009351929;Ben;Muster`);
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter');
    await page.getByRole('rowheader', { name: 'Beispiel, Anna' }).waitFor();
    expect(await textsOf(page, 'tbody td:last-child')).to.satisfy(([one, other]: string[]) =>
      Boolean(
        one?.match(/^0563537489 = 21 96 E6 51 Last seen: .*door$/) && other === '0009351929 = 00 8E B2 F9',
      ),
    );
    await page.getByLabel('Numbers').selectOption('hex');
    await page.getByText('05 63 53 74 89').waitFor();
    await page.getByLabel('Numbers').selectOption('dec10');
    await page.getByText('21 96 E6 51').waitFor();
    await page.getByRole('button', { name: 'Save 2 people' }).press('Enter');
    await page.getByText('2 people were saved.').waitFor();
    expect(await fixture.service.nameOf(TAG)).to.deep.equal(anna);
  });
});

describe('the page at readers of numbers of any length', () => {
  const fixture = new BrowserFixture([], { reader: 'stdin:?name=door&format=dec' });

  it('asks which of two tags a number means', async () => {
    const page = await fixture.open({ page: '/people' });
    await page.getByRole('button', { name: 'Add a person' }).press('Enter');
    await page.getByRole('textbox', { name: 'First name' }).fill('Anna');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Give a tag' }).press('Enter');
    await page.getByRole('textbox', { name: 'Tag' }).fill('12345678');
    await page.getByText('Which one is meant?').first().waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).to.equal(true);
    await page.getByRole('button', { name: '12 34 56 78' }).press('Enter');
    await page.getByText(/^Counts for Anna/).waitFor();
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await fixture.service.nameOf('12345678')).to.deep.equal({ first: 'Anna', last: '' });
  });
});
