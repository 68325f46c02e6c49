import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { answer } from './fixtures/answers.js';
import {
  BrowserFixture,
  expectAccessible,
  expectWhole,
  textsOf,
  type PageOptions,
} from './fixtures/browser.js';
import { backupOf, dayOf, visit } from './fixtures/record.js';

const ADA = '04A2B3C4D5';
const SPARE = '04DEADBEEF';
const BACKUP = 'tallybook-2025-03-01.jsonl';

describe('the page of personal data', () => {
  const fixture = new BrowserFixture();
  let erased: unknown[];

  beforeEach(async () => {
    erased = [];
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    await fixture.service.give(SPARE, ADA);
  });

  async function prepare(page: Page): Promise<void> {
    await answer(page, '/api/erasures', ({ method, body }) => {
      if (method === 'GET')
        return [{ digest: 'ab'.repeat(16), until: 1_740_000_000, expiresAt: 1_780_000_000 }];
      const { people, dryRun } = body as { people: string[]; dryRun?: boolean };
      if (dryRun !== true) erased.push(people);
      const tags = [ADA, SPARE].map((id) => ({
        id,
        hasName: true,
        days: 12,
        scans: 30,
        provisional: 0,
        corrections: 5,
        changes: 4,
      }));
      return {
        isDryRun: dryRun === true,
        tags,
        backupsWithIt: [BACKUP],
        formerFiles: [],
        isScrubbed: dryRun !== true,
      };
    });
    await answer(page, '/api/retention', () => ({
      isDryRun: true,
      keep: '24months',
      firstKept: 20_000,
      days: [{ day: 19_000, entries: 7 }],
      backups: [],
    }));
  }

  const open = (path: string, options = {}): Promise<Page> =>
    fixture.open({ ...options, page: path, prepare });

  it('shows the data of somebody, and where to save it', async () => {
    const page = await open(`/person/tag-${ADA}`);
    await page.getByRole('link', { name: 'Personal data …' }).press('Enter');
    await page.getByRole('heading', { name: 'Personal data: Ada Lovelace' }).waitFor();
    await page.getByText(BACKUP).waitFor();
    const links = await page
      .locator('a[download]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(links).to.deep.equal([`${fixture.service.url}/api/person/data?person=tag-${ADA}`]);
    await expectAccessible(page);
  });

  it('erases somebody with all tags, only after what would go was shown and the name was typed', async () => {
    const page = await open(`/personal/tag-${ADA}`);
    await page.getByRole('button', { name: 'Erase …' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Erase Ada Lovelace permanently?' });
    const button = dialog.getByRole('button', { name: 'Erase', exact: true });
    expect(await button.isDisabled()).to.equal(true);
    await dialog.getByRole('textbox').fill('Ada');
    await page.keyboard.press('Enter');
    expect(await button.isDisabled()).to.equal(true);
    await expectAccessible(page);
    await dialog.getByRole('textbox').fill('Ada Lovelace');
    await page.keyboard.press('Enter');
    await page.getByText('All data of this person was erased.').waitFor();
    await page.getByText('No trace of it is left in the store.').waitFor();
    await page.getByText(BACKUP).waitFor();
    expect(erased).to.deep.equal([[`tag-${ADA}`]]);
    await expectAccessible(page);
  });

  it('says how long days are kept, and who was erased', async () => {
    const page = await open('/personal');
    await page.getByText('Days are kept for 24 months.').waitFor();
    await page.getByText('Today 1 day with 7 entries would be removed.').waitFor();
    await page.getByText('abababab').waitFor();
  });

  for (const [language, theme, width] of [
    ['en-GB', 'light', 320],
    ['de-DE', 'dark', 1200],
  ] as const)
    it(`is whole and accessible in ${language}, ${theme}, ${width} pixels wide`, async () => {
      const page = await open('/personal', { language, theme, viewport: { width, height: 800 } });
      await page.getByText('abababab').waitFor();
      await expectWhole(page);
      await page.evaluate((id) => (location.hash = `/personal/tag-${id}`), ADA);
      await page.getByText(BACKUP).waitFor();
      await expectWhole(page);
    });
});

describe('the page of the audit trail', () => {
  const fixture = new BrowserFixture();
  const COUNT = 150;

  /** Opens the page with these answers about the trail. */
  const openWith = (trail: Parameters<typeof answer>[2], options: PageOptions = {}): Promise<Page> =>
    fixture.open({ ...options, page: '/audit', prepare: (page) => answer(page, '/api/audit', trail) });

  function open(
    isWhole: (after: string | null) => boolean,
    { oldest = 1, ...options }: PageOptions & { oldest?: number } = {},
  ): Promise<Page> {
    return openWith(({ query }) => {
      const limit = Number(query.get('limit'));
      const after = query.get('after');
      const first = Math.max(oldest - 1, after === null ? COUNT - limit : Number(after));
      const entries = Array.from({ length: Math.min(limit, COUNT - first) }, (_, index) => ({
        number: first + index + 1,
        at: 1_740_000_000 + first + index,
        actor: 'ada',
        action: (first + index) % 2 === 0 ? 'signed-in' : 'corrected',
        details: { count: index },
      }));
      return { entries, isWhole: isWhole(after) };
    }, options);
  }

  it('lists what was done, the latest first, and older things when they are asked for', async () => {
    const page = await open(() => true);
    await page.getByText('The trail is complete').waitFor();
    const numbers = (): Promise<string[]> => textsOf(page, 'tbody td[data-column="number"]');
    expect((await numbers()).slice(0, 2)).to.deep.equal(['150', '149']);
    await page.getByRole('button', { name: 'Show older entries' }).press('Enter');
    await page.getByRole('button', { name: 'Show older entries' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).to.equal(String(COUNT + 1));
    await page.getByRole('combobox', { name: 'Show' }).selectOption('corrected');
    expect(new Set(await textsOf(page, 'tbody th'))).to.deep.equal(new Set(['Corrected the record']));
    await expectAccessible(page);
  });

  it('names days and moments by their dates', async () => {
    const entries = [
      ['exported', { format: 'csv', from: dayOf('2025-03-03'), to: dayOf('2025-03-31') }],
      ['day-removed', { day: dayOf('2025-03-03') }],
      ['retention-applied', { before: dayOf('2025-03-03'), days: 2 }],
      ['time-set', { before: 1_740_000_000, after: 1_740_000_060 }],
    ].map(([action, details], index) => ({
      ...{ number: index + 1, at: 1_740_000_000, actor: 'ada', action, details },
    }));
    const page = await openWith(() => ({ entries, isWhole: true }));
    await page.getByRole('row', { name: /from: Mon, 03\/03\/2025 to: Mon, 31\/03\/2025/ }).waitFor();
    await page.getByRole('row', { name: /day: Mon, 03\/03\/2025/ }).waitFor();
    await page.getByRole('row', { name: /before: Mon, 03\/03\/2025 days: 2/ }).waitFor();
    await page.getByRole('row', { name: /before: 19 Feb 2025, 22:20 after: 19 Feb 2025, 22:21/ }).waitFor();
  });

  it('has details in the language of the page', async () => {
    const entries = [
      ['sign-in-refused', { attempts: 2, isKnown: true, address: '203.0.113.7' }],
      ['sign-in-refused', { attempts: 1, isKnown: false, address: '203.0.113.7' }],
      ['user-added', { user: 'ben', role: 'desk' }],
      ['correction-decided', { day: dayOf('2025-03-03'), isApproved: false }],
      ['user-changed', { user: 'ben', password: true }],
    ].map(([action, details], index) => ({
      ...{ number: index + 1, at: 1_740_000_000, actor: 'ada', action, details },
    }));
    const page = await openWith(() => ({ entries, isWhole: true }), { language: 'de-DE' });
    for (const words of [
      /Versuche: 2 als vorhandener Benutzer von Adresse: 203\.0\.113\.7/,
      /Versuche: 1 kein solcher Benutzer von Adresse/,
      /Benutzer: ben Rolle: Empfang/,
      /Tag: .*03\.03\.2025 abgelehnt/,
      /Benutzer: ben ein neues Passwort/,
    ])
      await page.getByRole('row', { name: words }).waitFor();
    expect(await page.getByText(/\bis[A-Z]|\b(?:true|false)\b/).count()).to.equal(0);
  });

  it('ends with the oldest one that is kept', async () => {
    const page = await open(() => true, { oldest: 41 });
    await page.getByRole('button', { name: 'Show older entries' }).press('Enter');
    await page.getByRole('button', { name: 'Show older entries' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).to.equal(String(COUNT - 40 + 1));
  });

  it('stays incomplete when older ones are shown that are', async () => {
    const page = await open((after) => after !== null);
    await page.getByText('The trail is not complete').waitFor();
    await page.getByRole('button', { name: 'Show older entries' }).press('Enter');
    await page.getByRole('button', { name: 'Show older entries' }).waitFor({ state: 'detached' });
    expect(await page.getByText('The trail is complete').count()).to.equal(0);
  });

  it('says that it is not complete', async () => {
    const page = await open(() => false, {
      language: 'de-DE',
      theme: 'dark',
      viewport: { width: 320, height: 800 },
    });
    await page.getByText('Das Protokoll ist nicht vollständig').waitFor();
    await expectWhole(page);
  });
});

describe('the health of the service', () => {
  const fixture = new BrowserFixture();

  it('is said in words, part by part, with the reason of each thing that is wrong', async () => {
    // No program listens on this port.
    await fixture.service.restart('--clock', 'trusted', '--publish', 'mqtt://127.0.0.1:1/hall?name=hall');
    const page = await fixture.open({ page: '/system' });
    const card = page.getByRole('region', { name: 'Health' });
    await card.getByText('Something needs attention').waitFor();
    await card.getByText('Store: OK').waitFor();
    await card.getByText('Publishers: needs attention').waitFor();
    await card.getByText(/^hall: /).waitFor();
    await card.getByText(/^its receiver takes nothing/).waitFor();
    await expectAccessible(page);
  });
});

describe('a person whom the service erases', () => {
  const fixture = new BrowserFixture();

  it('is gone from every page, and stands in the list of the erased without a name', async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    await fixture.service.record(ADA);
    const watching = await fixture.open();
    await watching.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    const page = await fixture.open({ page: `/personal/tag-${ADA}` });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save the data' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).to.include('Lovelace');
    await page.getByRole('button', { name: 'Erase …' }).press('Enter');
    await page.getByRole('dialog').getByRole('textbox').fill('Ada Lovelace');
    await page.keyboard.press('Enter');
    await page.getByText('All data of this person was erased.').waitFor();
    await watching.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor({ state: 'detached' });
    expect(await fixture.service.nameOf(ADA)).to.equal(undefined);
    await page.evaluate(() => (location.hash = '/personal'));
    await page.getByText('All days are kept.').waitFor();
    await page.getByText(/^Erased .* Mark kept until/).waitFor();
  });
});

describe('what the service keeps of what was done, and for how long', () => {
  const fixture = new BrowserFixture();
  const SECRET = 'a sentence of Ada';

  it('is listed in the trail, and all of it can be had', async () => {
    const { service } = fixture;
    await service.addAdmin('ada', SECRET);
    for (let number = 0; number < 110; number++) await service.name(ADA, 'Ada', `Lovelace ${number}`);
    const page = await fixture.openAs('ada', SECRET, { page: '/audit' });
    await page.getByText('The trail is complete').waitFor();
    await page.getByRole('rowheader', { name: 'Signed in' }).first().waitFor();
    await page.getByRole('button', { name: 'Show older entries' }).press('Enter');
    await page.getByRole('button', { name: 'Show older entries' }).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Show' }).selectOption('user-added');
    await page.getByRole('row', { name: /^Added a user/ }).waitFor();
    expect(await page.getByText('The trail is complete').count()).to.equal(1);
    expect(await page.getByText('Lovelace').count()).to.equal(0);
    await expectAccessible(page);
  });

  it('is said of days, with those that would go', async () => {
    const old = Array.from({ length: 3 }, (_, index) => visit(ADA, dayOf('2020-03-02') + index, 8, 16));
    await fixture.service.load(backupOf(old));
    await fixture.service.restart('--clock', 'trusted', '--keep', '24months');
    const page = await fixture.open({ page: '/personal' });
    await page.getByText('Days are kept for 24 months.').waitFor();
    await page.getByText('Today 3 days with 3 entries would be removed.').waitFor();
    // So none was removed yet.
    await page.getByText('the clock is far ahead of the last tap').waitFor();
    await expectAccessible(page);
  });
});
