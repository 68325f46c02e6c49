import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { BrowserFixture, expectWhole, signIn } from './fixtures/browser.js';

const ADA = '04A2B3C4D5';
const SECRET = 'a sentence of Ada';

/** Addresses of pages with their titles, in the languages of the page. */
const TITLES = [
  ['/', 'Today', 'Heute'],
  ['/muster', 'Muster list', 'Notfallliste'],
  ['/people', 'People', 'Personen'],
  ['/people/enrol', 'Give out tags', 'Chips ausgeben'],
  ['/people/import', 'Import a list', 'Liste übernehmen'],
  ['/days', 'Days', 'Tage'],
  ['/corrections', 'Corrections', 'Korrekturen'],
  ['/system', 'System', 'Wartung'],
  ['/settings', 'Settings', 'Einstellungen'],
  ['/first-steps', 'First steps', 'Erste Schritte'],
  ['/account', 'Your account', 'Ihr Konto'],
  ['/users', 'Users', 'Benutzer'],
  ['/tokens', 'Tokens and sessions', 'Zugänge und Sitzungen'],
  ['/personal', 'Personal data', 'Personenbezogene Daten'],
  ['/audit', 'Audit trail', 'Protokoll'],
  ['/phone-reader', 'This phone as a reader', 'Dieses Telefon als Leser'],
  ['/nowhere', 'Page not found', 'Diese Seite gibt es nicht'],
] as const;

async function hasTitle(page: Page, title: string, place = 'Tallybook'): Promise<void> {
  await page.waitForFunction((wanted) => document.title === wanted, `${title} · ${place}`);
}

async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((next) => (location.hash = next), path);
}

describe('the title of a tab', () => {
  const fixture = new BrowserFixture();

  for (const [language, column] of [
    ['en-GB', 1],
    ['de-DE', 2],
  ] as const)
    it(`begins with the name of the page, in ${language}`, async () => {
      const page = await fixture.open({ language });
      for (const row of [...TITLES, ...TITLES.slice(0, 1)]) {
        await go(page, row[0]);
        await hasTitle(page, row[column]);
      }
    });

  it('ends with the name of the place, which is at the top of the page too, but not before signing in', async () => {
    const place = 'Fire station Northwood';
    await fixture.service.addUser('ada', 'admin', SECRET);
    const context = await fixture.newContext();
    await context.route(/api\/status$/, async (route) => {
      const answered = await route.fetch();
      if (!answered.ok()) return route.fulfill({ response: answered });
      return route.fulfill({ json: { ...((await answered.json()) as object), name: place } });
    });
    const page = await fixture.visit({ context, isRefused: true });
    await hasTitle(page, 'Sign in');
    await signIn(page, 'ada', SECRET);
    await hasTitle(page, 'Today', place);
    await page.getByRole('link', { name: place }).waitFor();
    await page.getByRole('link', { name: 'People' }).press('Enter');
    await hasTitle(page, 'People', place);
    await expectWhole(page, [320, 800]);
    await go(page, '/account');
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await hasTitle(page, 'Sign in');
    expect(await page.getByText(place).count()).to.equal(0);
  });

  it('is announced when another page is opened, and the focus is on that page', async () => {
    const page = await fixture.open();
    const live = page.locator('[aria-live]#title');
    expect(await live.innerText()).to.equal('');
    expect(await page.evaluate(() => document.activeElement === document.body)).to.equal(true);
    for (const [name, title, focused] of [
      ['People', 'People', 'content'],
      ['Muster list', 'Muster list', 'content'],
      ['System', 'System', 'content'],
    ] as const) {
      await page.getByRole('navigation').getByRole('link', { name }).press('Enter');
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await live.getByText(title, { exact: true }).waitFor();
      expect(await page.evaluate(() => document.activeElement?.id)).to.equal(focused);
    }
  });

  it('leaves the focus in a form that takes it', async () => {
    const page = await fixture.open();
    await go(page, '/people/enrol');
    await page.getByRole('textbox', { name: 'Tag' }).and(page.locator(':focus')).waitFor();
  });

  it('names nobody: browsers keep titles', async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    const page = await fixture.open();
    for (const [path, heading, title] of [
      [`/person/tag-${ADA}`, 'Ada Lovelace', 'Person'],
      [`/personal/tag-${ADA}`, /Ada Lovelace/, 'Personal data'],
    ] as const) {
      await go(page, path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await hasTitle(page, title);
    }
    await go(page, '/kiosk');
    await hasTitle(page, 'Kiosk');
    await page.getByText('Reader ready').waitFor();
    fixture.service.tap(ADA);
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await hasTitle(page, 'Kiosk');
  });

  it('is that of the form before somebody signs in, and of the page afterwards', async () => {
    await fixture.service.addUser('ada', 'admin', SECRET);
    const page = await fixture.visit({ page: '/people', isRefused: true });
    await hasTitle(page, 'Sign in');
    await signIn(page, 'ada', SECRET);
    await hasTitle(page, 'People');
    expect(await page.evaluate(() => document.activeElement?.id)).to.equal('content');
  });
});
