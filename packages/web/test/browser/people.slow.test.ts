import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { BrowserFixture, expectAccessible, expectWhole, goTo, LOOKS, textsOf } from './fixtures/browser.js';
import { ADA, GRACE } from './fixtures/record.js';

const SPARE = '04DEADBEEF';

const SEARCH = { 'en-GB': 'Search by name, number or tag', 'de-DE': 'Nach Name, Nummer oder Chip suchen' };
const GIVE = { 'en-GB': 'Give a tag', 'de-DE': 'Chip geben' };
const HAND_ON = { 'en-GB': 'Hand on', 'de-DE': 'Weitergeben' };

/** The tags of a person over time, one line for each holding. */
function timelineOf(page: Page): Promise<string[]> {
  return textsOf(page, '.timeline li > span');
}

/** Saves what a dialog has shown before, and waits until it is closed. */
async function save(page: Page, shown: string | RegExp): Promise<void> {
  await page.getByRole('dialog').getByText(shown).waitFor();
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe('the page of people', () => {
  const fixture = new BrowserFixture();

  beforeEach(() => fixture.service.nameBoth());

  for (const { language, screens } of LOOKS) {
    it(`is whole and accessible in ${language} on small and wide screens, light and dark`, async () => {
      await fixture.service.send('/api/tag', { id: GRACE, act: 'lost' });
      const page = await fixture.open({ language, page: '/people' });
      await page.getByRole('searchbox', { name: SEARCH[language] }).waitFor();
      await expectWhole(page, screens);
    });
  }

  it('shows all tags of a person, and finds people by parts of name, number and tag', async () => {
    await fixture.service.give(SPARE, ADA);
    await fixture.service.send('/api/person', { id: `tag-${GRACE}`, number: 'A-17' });
    const page = await fixture.open({ page: '/people' });
    await page.getByText('2 people').waitFor();
    const row = page.getByRole('row', { name: /Lovelace/ });
    expect(await row.locator('.id').allInnerTexts()).to.deep.equal(['04 A2 B3 C4 D5', '04 DE AD BE EF']);
    for (const [text, found] of [
      ['hop', 'Hopper, Grace'],
      ['a-17', 'Hopper, Grace'],
      ['deadbeef', 'Lovelace, Ada'],
    ] as const) {
      await page.getByRole('searchbox').fill(text);
      await page.getByText('1 found').waitFor();
      expect(await textsOf(page, 'tbody th')).to.deep.equal([found]);
    }
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByText('Nobody found').waitFor();
  });

  it('adds a person without a tag with the keyboard alone', async () => {
    const page = await fixture.open({ page: '/people' });
    await page.getByRole('button', { name: 'Add a person' }).press('Enter');
    await page.getByRole('dialog').getByText('One of the two names is enough.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Enter a first or a last name.').waitFor();
    await expectAccessible(page);
    await page.keyboard.type('Alan');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Turing');
    await page.keyboard.press('Tab');
    await page.keyboard.type('42');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Alan Turing' }).waitFor();
    await goTo(page, '/people');
    await page.getByRole('row', { name: 'Turing, Alan 42' }).waitFor();
  });

  it('tells two persons of one name apart, here and on Today', async () => {
    await fixture.service.name(SPARE, 'Ada', 'Lovelace');
    const page = await fixture.open();
    fixture.service.tap(ADA, SPARE);
    await page.getByText('2 people are here').waitFor();
    const names = page.locator('tbody th');
    await names.nth(1).waitFor();
    expect((await names.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')).sort()).to.deep.equal([
      'Lovelace, Ada (…BEEF)',
      'Lovelace, Ada (…C4D5)',
    ]);
    await goTo(page, '/muster');
    await page.getByRole('checkbox', { name: 'Lovelace, Ada (…BEEF) is safe' }).waitFor();
    await page.getByRole('checkbox', { name: 'Lovelace, Ada (…C4D5) is safe' }).waitFor();
    await goTo(page, '/people');
    await page.getByText('3 people').waitFor();
    expect(await page.getByRole('link', { name: 'Lovelace, Ada' }).count()).to.equal(2);
  });

  it('shows what somebody else changes', async () => {
    const page = await fixture.open({ page: '/people' });
    await page.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
    await fixture.service.name(SPARE, 'Alan', 'Turing');
    await page.getByRole('rowheader', { name: 'Turing, Alan' }).waitFor();
  });
});

describe('the page of a person', () => {
  const fixture = new BrowserFixture();

  beforeEach(() => fixture.service.nameBoth());

  const ofAda = `/person/tag-${ADA}`;

  for (const { language, screens } of LOOKS) {
    it(`is whole and accessible in ${language} on small and wide screens, light and dark, with its dialogs`, async () => {
      const page = await fixture.open({ language, page: ofAda });
      await page.locator('.timeline').waitFor();
      await expectWhole(page, screens);
      await page.getByRole('button', { name: HAND_ON[language] }).press('Enter');
      await page.getByRole('searchbox').fill('hop');
      await page.getByRole('button', { name: 'Hopper, Grace' }).press('Enter');
      await page.locator('dialog .notice').waitFor();
      await expectWhole(page, screens);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: GIVE[language] }).press('Enter');
      await page.getByRole('dialog').waitFor();
      await expectWhole(page, screens);
    });
  }

  it('changes name, number and membership', async () => {
    const page = await fixture.open({ page: ofAda });
    await page.getByRole('button', { name: 'Change' }).press('Enter');
    await page.getByRole('textbox', { name: 'Last name' }).fill('King');
    await page.getByRole('textbox', { name: 'Number' }).fill('17');
    await page.getByLabel('Member from').fill('2026-01-01');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('heading', { name: 'Ada King', level: 1 }).waitFor();
    await page.getByText('Thu, 01/01/2026').waitFor();
    await page.getByRole('button', { name: 'Left' }).press('Enter');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Member until').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Left' }).count()).to.equal(0);
    expect(await fixture.service.nameOf(ADA)).to.deep.equal({ first: 'Ada', last: 'King' });
  });

  it('says in the dialog that the service is gone, and keeps what was typed', async () => {
    const page = await fixture.open({ page: ofAda, allowsErrors: true });
    await page.getByRole('button', { name: 'Change' }).press('Enter');
    await page.getByRole('textbox', { name: 'First name' }).fill('Augusta');
    await fixture.service.kill();
    await page.keyboard.press('Enter');
    await page.getByText('The service did not respond').waitFor();
    expect(await page.getByRole('textbox', { name: 'First name' }).inputValue()).to.equal('Augusta');
    await fixture.service.resume();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Augusta Lovelace', level: 1 }).waitFor();
  });

  it('gives a tag that was just tapped, from the beginning if nobody held it', async () => {
    const page = await fixture.open({ page: ofAda });
    await page.getByRole('button', { name: 'Give a tag' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    fixture.service.tap(SPARE);
    await page.getByRole('dialog').getByText('Counts for Ada Lovelace instead of nobody since').waitFor();
    await page.getByRole('button', { name: 'It was theirs all along' }).press('Enter');
    await save(page, 'Counts for Ada Lovelace instead of nobody from the beginning (1 day).');
    await page.getByRole('region', { name: '04 DE AD BE EF' }).waitFor();
    expect(await timelineOf(page)).to.deep.equal([
      'Ada Lovelace from the beginning',
      'Ada Lovelace from the beginning',
    ]);
  });

  it('shows a lost tag that is tapped, which counts for nobody until it is found', async () => {
    await fixture.service.record(ADA);
    await fixture.service.nextSecond();
    const page = await fixture.open({ page: ofAda });
    await page.getByRole('button', { name: 'Lost' }).press('Enter');
    await save(page, 'What was recorded before stays with Ada Lovelace.');
    await page.getByText(/^lost since/).waitFor();
    await fixture.service.nextSecond();
    await goTo(page, '/');
    fixture.service.tap(ADA);
    await page.locator('.last-tap strong').getByText('Lost tag', { exact: true }).waitFor();
    await page.getByText('Used today although lost').waitFor();
    await expectAccessible(page);
    // Ada was here before.
    expect(await textsOf(page, '.count')).to.deep.equal(['1 person is here']);
    await page.getByRole('link', { name: '04 A2 B3 C4 D5' }).press('Enter');
    await page.getByRole('button', { name: 'Found' }).press('Enter');
    await save(page, /^Counts for Ada Lovelace instead of nobody since/);
    await page.getByRole('button', { name: 'Lost' }).waitFor();
    expect((await timelineOf(page)).map((line) => line.replace(/ since.*/, ''))).to.deep.equal([
      'Ada Lovelace from the beginning',
      'lost',
      'Ada Lovelace',
    ]);
  });

  it('hands a tag on from now on, and undoes it', async () => {
    await fixture.service.record(ADA);
    await fixture.service.nextSecond();
    const page = await fixture.open({ page: ofAda });
    await page.getByRole('button', { name: 'Hand on' }).press('Enter');
    await page.getByRole('searchbox').fill('hop');
    await page.getByRole('button', { name: 'Hopper, Grace' }).press('Enter');
    await save(page, /^Counts for Grace Hopper instead of Ada Lovelace since .* \(0 days\)\.$/);
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    expect(await fixture.service.nameOf(ADA)).to.deep.equal({ first: 'Grace', last: 'Hopper' });
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await save(page, /^Counts for Ada Lovelace instead of Grace Hopper since/);
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    expect(await fixture.service.nameOf(ADA)).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
  });

  it('says that a tag was somebody else’s all along, whose days it shows before', async () => {
    await fixture.service.record(ADA);
    const page = await fixture.open({ page: ofAda });
    await page.getByRole('button', { name: 'Hand on' }).press('Enter');
    await page.getByRole('searchbox').fill('hop');
    await page.getByRole('button', { name: 'Hopper, Grace' }).press('Enter');
    await page.getByRole('button', { name: 'It was theirs all along' }).press('Enter');
    await save(page, 'Counts for Grace Hopper instead of Ada Lovelace from the beginning (1 day).');
    await goTo(page, '/');
    await page.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['Hopper, Grace']);
  });

  it('takes a tag back, and gives it out again', async () => {
    const page = await fixture.open({ page: ofAda });
    await page.getByRole('button', { name: 'Returned' }).press('Enter');
    await save(page, /^Counts for nobody instead of Ada Lovelace since/);
    await page.getByText(/^returned since/).waitFor();
    expect(await fixture.service.nameOf(ADA)).to.equal(undefined);
    await fixture.service.nextSecond();
    await page.getByRole('button', { name: 'Give it back' }).press('Enter');
    await save(page, /^Counts for Ada Lovelace instead of nobody since/);
    await page.getByRole('button', { name: 'Returned' }).waitFor();
    expect(await fixture.service.nameOf(ADA)).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
  });

  it('says that two are one person, and separates them again', async () => {
    const page = await fixture.open({ page: ofAda });
    await page.getByRole('button', { name: 'Same as …' }).press('Enter');
    await page.getByRole('searchbox').fill('hop');
    await page.getByRole('button', { name: 'Hopper, Grace' }).press('Enter');
    await page.getByRole('region', { name: '00 11 22 33 44' }).waitFor();
    await page.getByRole('region', { name: '04 A2 B3 C4 D5' }).waitFor();
    await page.getByRole('button', { name: 'Separate again' }).press('Enter');
    await page.getByRole('region', { name: '04 A2 B3 C4 D5' }).waitFor({ state: 'detached' });
    await goTo(page, '/people');
    await page.getByText('2 people').waitFor();
  });

  it('removes a person, whose days stay without a name', async () => {
    await fixture.service.record(ADA);
    const page = await fixture.open({ page: ofAda });
    await page.getByRole('button', { name: 'Remove …' }).press('Enter');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await page.getByText('1 person').waitFor();
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['Hopper, Grace']);
    await goTo(page, '/');
    await page.getByText('1 unnamed tag').waitFor();
  });

  it('erases one of two persons of one name, and the other one stays', async () => {
    await fixture.service.name(SPARE, 'Ada', 'Lovelace');
    await fixture.service.record(ADA, SPARE);
    const page = await fixture.open({ page: ofAda });
    await page.getByRole('link', { name: 'Personal data …' }).press('Enter');
    await page.getByRole('button', { name: 'Erase …' }).press('Enter');
    await page.getByRole('dialog').getByRole('textbox').fill('Ada Lovelace');
    await page.keyboard.press('Enter');
    await page.getByText('All data of this person was erased.').waitFor();
    await goTo(page, '/people');
    await page.getByText('2 people').waitFor();
    expect(await fixture.service.nameOf(SPARE)).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
    await goTo(page, '/');
    await page.getByText('1 person is here').waitFor();
  });
});

describe('the page of a tag', () => {
  const fixture = new BrowserFixture();

  it('shows the days of a tag without a holder, and those of the person who holds it', async () => {
    await fixture.service.record(SPARE);
    const page = await fixture.open({ page: `/tag/${SPARE}` });
    await page.getByRole('heading', { name: 'Unnamed tag' }).waitFor();
    await page.getByRole('link', { name: 'Give it a name' }).waitFor();
    await expectAccessible(page);
    await fixture.service.name(SPARE, 'Alan', 'Turing');
    await page.getByRole('heading', { name: 'Alan Turing' }).waitFor();
  });
});

describe('the page of ten thousand people', () => {
  const fixture = new BrowserFixture();
  const COUNT = 10_000;

  it('draws those that can be seen, every other one when it is gone to, and all of them on paper', async function () {
    this.timeout(240_000);
    const lines = Array.from({ length: COUNT }, (_, n) => {
      const number = String(n).padStart(5, '0');
      return `04AA0${number},First ${number},Last ${number}`;
    });
    await fixture.service.importNames(lines.join('\n'));
    const page = await fixture.open({ page: '/people' });
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
