import { expect } from 'chai';
import { BrowserFixture, expectAccessible, expectWhole, LOOKS, textsOf } from './fixtures/browser.js';

const ADA = '04A2B3C4D5';
const GRACE = '0011223344';
const SPARE = '04DEADBEEF';

const SEARCH = { 'en-GB': 'Search by name or tag', 'de-DE': 'Nach Name oder Chip suchen' };

describe('the page of names', () => {
  const fixture = new BrowserFixture();

  beforeEach(async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    await fixture.service.name(GRACE, 'Grace', 'Hopper');
  });

  for (const { language, screens } of LOOKS) {
    it(`is whole and accessible in ${language} on small and wide screens, light and dark, with its dialog too`, async () => {
      const page = await fixture.open({ language, page: '/names' });
      await page.getByRole('searchbox', { name: SEARCH[language] }).waitFor();
      await expectWhole(page, screens);
      await page.getByRole('button', { name: 'Lovelace, Ada' }).press('Enter');
      await page.getByRole('dialog', { name: 'Ada Lovelace' }).waitFor();
      await expectWhole(page, screens);
    });
  }

  it('shows the tags of one person together, and finds people by parts of name and tag', async () => {
    await fixture.service.name(SPARE, 'Ada', 'Lovelace');
    const page = await fixture.open({ page: '/names' });
    await page.getByText('2 people · 3 tags').waitFor();
    const row = page.getByRole('row', { name: /Lovelace/ });
    expect(await row.locator('.id').allInnerTexts()).to.deep.equal(['04 A2 B3 C4 D5', '04 DE AD BE EF']);
    await page.getByRole('searchbox').fill('hop');
    await page.getByText('1 found').waitFor();
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['Hopper, Grace']);
    await page.getByRole('searchbox').fill('deadbeef');
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByText('Nobody found').waitFor();
  });

  it('adds a person with the keyboard alone, whose tag is held to a reader', async () => {
    const page = await fixture.open({ page: '/names' });
    await page.getByRole('button', { name: 'Add a person' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Enter a first or a last name.').waitFor();
    await page.keyboard.type('Alan');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Turing');
    await page.keyboard.press('Enter');
    await page.getByText('A person needs a tag.').waitFor();
    await expectAccessible(page);
    // A tag of another person is not taken.
    fixture.service.tap(ADA, SPARE);
    await page.waitForFunction(
      () =>
        (document.querySelectorAll<HTMLInputElement>('dialog input')[2]?.value ?? '') === '04 DE AD BE EF',
    );
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Turing, Alan' }).waitFor();
    expect(await fixture.service.nameOf(SPARE)).to.deep.equal({ first: 'Alan', last: 'Turing' });
  });

  it('renames a person with all tags, and undoes it', async () => {
    await fixture.service.name(SPARE, 'Ada', 'Lovelace');
    const page = await fixture.open({ page: '/names' });
    await page.getByRole('button', { name: 'Lovelace, Ada' }).press('Enter');
    await page.getByRole('textbox', { name: 'Last name' }).fill('King');
    await page.keyboard.press('Enter');
    await page.locator('button:focus', { hasText: 'King, Ada' }).waitFor();
    expect(await fixture.service.nameOf(SPARE)).to.deep.equal({ first: 'Ada', last: 'King' });
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    expect(await fixture.service.nameOf(ADA)).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
    expect(await fixture.service.nameOf(SPARE)).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
  });

  it('leads to when somebody was there', async () => {
    const page = await fixture.open({ page: '/names' });
    await page.getByRole('button', { name: 'Lovelace, Ada' }).press('Enter');
    await page.getByRole('link', { name: 'Attendance' }).press('Enter');
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
    expect(page.url()).to.match(new RegExp(`#/person/(?:${ADA}|${SPARE})$`));
  });

  it('removes a name, and undoes it', async () => {
    const context = await fixture.newContext();
    // The message with the undo button would disappear after a while, perhaps before the test sees it.
    await context.addInitScript((most) => {
      const begin = setTimeout;
      const browser = window as unknown as Record<string, unknown>;
      browser['setTimeout'] = (work: () => void, ms = 0) => (ms < most ? begin(work, ms) : 0);
    }, 10_000);
    const page = await fixture.open({ context, page: '/names' });
    await page.getByRole('button', { name: 'Hopper, Grace' }).press('Enter');
    await page.getByRole('button', { name: 'Remove the name' }).press('Enter');
    await page.getByText('Grace Hopper was removed.').waitFor();
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['Lovelace, Ada']);
    expect(await fixture.service.nameOf(GRACE)).to.equal(undefined);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
    expect(await fixture.service.nameOf(GRACE)).to.deep.equal({ first: 'Grace', last: 'Hopper' });
  });

  it('takes a tag away from a person who keeps another, and warns before it takes one from somebody else', async () => {
    await fixture.service.name(SPARE, 'Ada', 'Lovelace');
    const page = await fixture.open({ page: '/names', allowsErrors: true });
    await page.getByRole('button', { name: 'Lovelace, Ada' }).press('Enter');
    await page.getByRole('button', { name: 'Remove this tag: 04 DE AD BE EF' }).press('Enter');
    await page.getByRole('textbox', { name: 'Another tag' }).fill('zz');
    await page.keyboard.press('Enter');
    await page.getByText('A tag number has 6 to 20 digits').waitFor();
    await page.getByRole('textbox', { name: 'Another tag' }).fill('00:11:22:33:44');
    await page.getByText('This tag belongs to Grace Hopper.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 person · 2 tags').waitFor();
    expect(await fixture.service.nameOf(SPARE)).to.equal(undefined);
    expect(await fixture.service.nameOf(GRACE)).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
  });

  it('shows what somebody else changes', async () => {
    const page = await fixture.open({ page: '/names' });
    await page.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
    await fixture.service.name(SPARE, 'Alan', 'Turing');
    await page.getByRole('rowheader', { name: 'Turing, Alan' }).waitFor();
  });

  it('says in the dialog that the service is gone, and keeps what was typed', async () => {
    const page = await fixture.open({ page: '/names', allowsErrors: true });
    await page.getByRole('button', { name: 'Hopper, Grace' }).press('Enter');
    await page.getByRole('textbox', { name: 'First name' }).fill('Brewster');
    await fixture.service.kill();
    await page.keyboard.press('Enter');
    await page.getByText('The service did not respond').waitFor();
    expect(await page.getByRole('textbox', { name: 'First name' }).inputValue()).to.equal('Brewster');
    await fixture.service.resume();
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Hopper, Brewster' }).waitFor();
  });
});

describe('the page of ten thousand names', () => {
  const fixture = new BrowserFixture();
  const COUNT = 10_000;

  it('draws those that can be seen, every other one when it is gone to, and all of them on paper', async function () {
    this.timeout(240_000);
    const lines = Array.from({ length: COUNT }, (_, n) => {
      const number = String(n).padStart(5, '0');
      return `04AA0${number},First ${number},Last ${number}`;
    });
    await fixture.service.importNames(lines.join('\n'));
    const page = await fixture.open({ page: '/names' });
    await page.getByText('10,000 people').waitFor();
    await page.getByRole('rowheader', { name: 'Last 00000' }).waitFor();
    expect(await page.locator('tbody th').count()).to.be.below(300);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).to.equal(String(COUNT + 1));
    await expectAccessible(page);
    await page.keyboard.press('End');
    // Rows drawn on the way must not move the end.
    await page.waitForFunction(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1);
    const lastRow = page.getByRole('row', { name: /Last 09999/ });
    await lastRow.waitFor();
    expect(await lastRow.getAttribute('aria-rowindex')).to.equal(String(COUNT + 1));
    expect(await page.locator('tbody th').count()).to.be.below(300);
    const drawn = (): Promise<number> => page.locator('tbody th').count();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await drawn()).to.equal(COUNT);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await drawn()).to.be.below(300);
    await page.getByRole('searchbox').fill('last 05000');
    await page.getByText('1 found').waitFor();
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['Last 05000, First 05000']);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Name' }).press('Enter');
    await page.getByRole('rowheader', { name: 'Last 09999' }).waitFor();
  });
});
