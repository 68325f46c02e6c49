import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  BrowserFixture,
  expectAccessible,
  expectNoSidewaysScroll,
  expectWhole,
  textsOf,
} from './fixtures/browser.js';
import { ADA, GRACE, backupOf, dayOf, visit } from './fixtures/record.js';

const UNKNOWN = '04DEADBEEF';
const MONDAY = dayOf('2025-03-03');

const looks = [
  { language: 'en-GB', theme: 'light', widths: [320, 1200, 3840], people: '2 people' },
  { language: 'de-DE', theme: 'dark', widths: [320, 800, 3840], people: '2 Personen' },
] as const;

describe('the page of days', () => {
  const backup = backupOf([
    visit(ADA, MONDAY, 8, 16),
    visit(GRACE, MONDAY, 9, 15),
    visit(ADA, MONDAY + 1, 7, 12),
    visit(UNKNOWN, MONDAY + 9, 10, 11),
  ]);
  const fixture = new BrowserFixture([], { backup });

  beforeEach(() => fixture.service.nameBoth());

  function dayButton(page: Page, day: number): ReturnType<Page['locator']> {
    return page.locator(`[data-day="${day}"]`);
  }

  it('shows how many people were there by colour and in words', async () => {
    const page = await fixture.open({ page: '/days/2025-03-03' });
    await page.getByRole('button', { name: 'Monday, 3 March 2025: 2 people' }).waitFor();
    const levels = [MONDAY, MONDAY + 1, MONDAY + 2].map((day) =>
      dayButton(page, day).getAttribute('data-level'),
    );
    expect(await Promise.all(levels)).to.deep.equal(['4', '2', '0']);
  });

  it('shows the people of the day that is pressed, with their times in the zone of the service', async () => {
    const page = await fixture.open({ page: '/days/2025-03-04' });
    await dayButton(page, MONDAY).click();
    await page.getByRole('heading', { name: 'Monday, 3 March 2025' }).waitFor();
    await page.getByRole('row', { name: /^Lovelace, Ada .*09:00 17:00 2$/ }).waitFor();
    expect(await textsOf(page, '.days-chosen tbody th')).to.deep.equal(['Lovelace, Ada', 'Hopper, Grace']);
  });

  it('names the zone of the service if the browser has another', async () => {
    const page = await fixture.open({ page: '/days/2025-03-03', zone: 'America/New_York' });
    await page.getByRole('row', { name: /^Lovelace, Ada .*09:00 CET 17:00 CET 2$/ }).waitFor();
  });

  it('shows unnamed tags by their number', async () => {
    const page = await fixture.open({ page: '/days/2025-03-12' });
    await page.getByRole('rowheader', { name: '04 DE AD BE EF' }).waitFor();
  });

  it('follows the taps of today', async () => {
    const page = await fixture.open({ page: '/days' });
    await page.getByText('Nobody was here').waitFor();
    fixture.service.tap(ADA, UNKNOWN);
    await page.getByRole('row', { name: /^Lovelace, Ada .*\d\d:\d\d \d\d:\d\d 1$/ }).waitFor();
    await page.getByRole('rowheader', { name: '04 DE AD BE EF' }).waitFor();
    await page.locator('[aria-current="date"][aria-label$=": 2 people"]').waitFor();
    fixture.service.tap(GRACE);
    await page.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
    await page.locator('[aria-current="date"][aria-label$=": 3 people"]').waitFor();
  });

  it('says that nobody was there', async () => {
    const page = await fixture.open({ page: '/days/2025-03-05' });
    await page.getByText('Nobody was here').waitFor();
    expect(await page.getByRole('link', { name: 'CSV' }).count()).to.equal(0);
  });

  it('is reached by Tab once, and walked through with the keys', async () => {
    const page = await fixture.open({ page: '/days/2025-03-03' });
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    expect(await page.locator('.year [tabindex="0"]').count()).to.equal(1);
    await dayButton(page, MONDAY).focus();
    for (const [key, date] of [
      ['ArrowRight', '2025-03-04'],
      ['ArrowDown', '2025-03-11'],
      ['Home', '2025-03-10'],
      ['End', '2025-03-16'],
      ['ArrowUp', '2025-03-09'],
      ['PageUp', '2025-02-09'],
      ['PageDown', '2025-03-09'],
      ['ArrowLeft', '2025-03-08'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`[data-day="${dayOf(date)}"]:focus`).waitFor();
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Saturday, 8 March 2025' }).waitFor();
  });

  it('chooses a range with Shift and the keys, and shows each person in it once', async () => {
    const page = await fixture.open({ page: '/days/2025-03-03' });
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    await dayButton(page, MONDAY).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('heading', { name: /3\s*–\s*11 March 2025/ }).waitFor();
    await page.getByRole('row', { name: 'Lovelace, Ada 2' }).waitFor();
    expect(await textsOf(page, '.days-chosen tbody th')).to.deep.equal(['Hopper, Grace', 'Lovelace, Ada']);
    await expectAccessible(page);
  });

  it('chooses a range with the mouse', async () => {
    const page = await fixture.open({ page: '/days/2025-03-01' });
    await page.getByText('Nobody was here').waitFor();
    await dayButton(page, MONDAY + 9).hover();
    await page.mouse.down();
    await dayButton(page, MONDAY).hover();
    await page.mouse.up();
    await page.getByRole('heading', { name: /3\s*–\s*12 March 2025/ }).waitFor();
    expect(await page.locator('[aria-selected="true"]').count()).to.equal(10);
  });

  it('chooses a range by its dates, and refuses one that is too long', async () => {
    const page = await fixture.open({ page: '/days/2025-03-03' });
    await page.getByLabel('To', { exact: true }).fill('2025-03-12');
    await page.getByLabel('To', { exact: true }).press('Tab');
    await page.getByRole('heading', { name: /3\s*–\s*12 March 2025/ }).waitFor();
    await page.getByLabel('From', { exact: true }).fill('1990-01-01');
    await page.getByLabel('From', { exact: true }).press('Tab');
    await page.getByText('At most ten years').waitFor();
  });

  it('has room for a table of every day at all widths, in the longer words of German', async () => {
    const zone = 'America/New_York';
    const page = await fixture.open({ language: 'de-DE', zone, page: '/days/2025-03-01/2025-03-31' });
    await page.getByRole('radio', { name: 'Jeden Tag' }).check();
    await page.getByRole('columnheader', { name: 'Buchungen' }).waitFor();
    for (const width of [720, 1024, 1152, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
    }
  });

  it('saves what is seen: these days, in this shape, in the language of the page', async () => {
    const page = await fixture.open({ language: 'de-DE', page: '/days/2025-03-03/2025-03-04' });
    await page.getByLabel('Jeden Tag').check();
    await page.getByRole('row', { name: /Lovelace, Ada.*08:00 13:00 2/ }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(file.suggestedFilename()).to.match(/2025-03-03.*2025-03-04.*\.csv$/);
    expect(lines).to.have.lengthOf(4);
    expect(lines[0]).to.contain('Datum');
    const [book] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Excel' }).click(),
    ]);
    expect((await readFile(await book.path())).subarray(0, 2).toString('latin1')).to.equal('PK');
  });

  it('removes a day only after somebody has said that they mean it', async () => {
    const page = await fixture.open({ page: '/days/2025-03-03' });
    const open = page.getByRole('button', { name: 'Remove this day …' });
    await open.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove Monday, 3 March 2025?' });
    await dialog.getByText('2 people').waitFor();
    await expectAccessible(page);
    const remove = dialog.getByRole('button', { name: 'Remove this day' });
    expect(await remove.isDisabled()).to.equal(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open.press('Enter');
    await dialog.getByRole('checkbox').press('Space');
    await remove.press('Enter');
    await page.getByText('Nobody was here').waitFor();
    expect((await fetch(`${fixture.service.url}/api/day?day=${MONDAY}`)).status).to.equal(404);
  });

  it('goes to another year', async () => {
    const page = await fixture.open({ page: '/days/2025-03-03' });
    await page.getByRole('button', { name: 'Next year' }).press('Enter');
    await page.getByRole('heading', { name: '2026', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Previous year' }).press('Enter');
    await page.getByRole('heading', { name: '2025', exact: true }).waitFor();
    await page.getByRole('rowheader', { name: '04 DE AD BE EF' }).waitFor();
  });

  it('says of a year that cannot be read that it cannot, not that nobody was there', async () => {
    const page = await fixture.open({ page: '/days/2025-03-03', allowsErrors: true });
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    await page.route(/api\/table\?/, (route) => route.abort());
    await page.getByRole('button', { name: 'Next year' }).press('Enter');
    await page.getByText('The service is not responding.').waitFor();
    expect(await page.getByText('Nobody was here').count()).to.equal(0);
    await page.unroute(/api\/table\?/);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByText('Nobody was here').waitFor();
  });

  for (const { language, theme, widths, people } of looks) {
    it(`is whole and accessible in ${language}, ${theme}, ${widths.join(', ')} pixels wide`, async () => {
      const page = await fixture.open({ language, theme, page: '/days/2025-03-03' });
      await page.locator('.days-chosen .quiet').getByText(people).waitFor();
      await expectWhole(page, widths);
    });
  }
});

describe('the page of a person', () => {
  const second = '04AABBCCDD';
  const backup = backupOf([
    visit(ADA, MONDAY, 8, 16),
    visit(second, MONDAY + 1, 7, 12),
    visit(ADA, MONDAY + 40, 6, 17),
    visit(GRACE, MONDAY + 3, 6, 17),
  ]);
  const fixture = new BrowserFixture([], { backup });

  beforeEach(async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    await fixture.service.give(second, ADA);
  });

  it('is reached from a day, and shows all tags of somebody over the year', async () => {
    const page = await fixture.open({ page: '/days/2025-03-03' });
    await page.getByRole('link', { name: 'Lovelace, Ada' }).press('Enter');
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.getByText('3 days, first tap usually around 08:00').waitFor();
    expect(await page.locator('.picture-bars').getAttribute('d')).to.match(/^(M[^M]+){3}$/);
    expect(await textsOf(page, 'tbody th')).to.have.lengthOf(3);
  });

  it('says that somebody was not there in a range', async () => {
    const page = await fixture.open({ page: `/person/tag-${ADA}/2025-01-01/2025-01-31` });
    await page.getByText('Not here in this period').waitFor();
    await page.getByRole('link', { name: 'Everybody in this period' }).press('Enter');
    await page.getByRole('heading', { name: /1\s*–\s*31 January 2025/ }).waitFor();
  });

  it('says of a range that cannot be read that it cannot, not that somebody was not there', async () => {
    const page = await fixture.open({ page: `/person/tag-${ADA}/2025-01-01/2025-12-31`, allowsErrors: true });
    await page.getByText('3 days, first tap').waitFor();
    await page.route(/api\/table\?/, (route) => route.abort());
    await page.getByLabel('To', { exact: true }).fill('2025-01-31');
    await page.getByLabel('To', { exact: true }).press('Tab');
    await page.getByText('The service is not responding.').waitFor();
    expect(await page.getByText('Not here in this period').count()).to.equal(0);
    await page.unroute(/api\/table\?/);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByText('Not here in this period').waitFor();
  });

  for (const { language, theme, widths } of looks) {
    it(`is whole and accessible in ${language}, ${theme}, ${widths.join(', ')} pixels wide`, async () => {
      const page = await fixture.open({ language, theme, page: `/person/tag-${ADA}/2025-01-01/2025-12-31` });
      await page.getByRole('img').first().waitFor();
      await expectWhole(page, widths);
    });
  }
});
