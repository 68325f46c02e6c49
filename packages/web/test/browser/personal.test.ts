import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { answer } from './fixtures/answers.js';
import { BrowserFixture, expectAccessible, expectNoSidewaysScroll, textsOf } from './fixtures/browser.js';

const ADA = '04A2B3C4D5';
const SPARE = '04DEADBEEF';
const BACKUP = 'tallybook-2025-03-01.jsonl';

describe('the page of personal data', () => {
  const fixture = new BrowserFixture();
  let erased: unknown[];

  beforeEach(async () => {
    erased = [];
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    await fixture.service.name(SPARE, 'Ada', 'Lovelace');
  });

  async function open(path: string, options = {}): Promise<Page> {
    const context = await fixture.newContext(options);
    const page = await context.newPage();
    await answer(page, '/api/erasures', ({ method, body }) => {
      if (method === 'GET')
        return [{ digest: 'ab'.repeat(16), until: 1_740_000_000, expiresAt: 1_780_000_000 }];
      const { ids, dryRun } = body as { ids: string[]; dryRun: boolean };
      if (!dryRun) erased.push(ids);
      const tags = ids.map((id) => ({ id, hasName: true, days: 12, scans: 30, provisional: 0, changes: 4 }));
      return { isDryRun: dryRun, tags, backupsWithIt: [BACKUP], formerFiles: [], isScrubbed: !dryRun };
    });
    await answer(page, '/api/retention', () => ({
      isDryRun: true,
      keep: '24months',
      firstKept: 20_000,
      days: [{ day: 19_000, entries: 7 }],
      backups: [],
    }));
    await page.goto(`${fixture.service.url}/#${path}`);
    await page.waitForSelector('[data-state="open"]', { state: 'attached' });
    return page;
  }

  it('says what is kept of somebody, and where it can be had', async () => {
    const page = await open(`/person/${ADA}`);
    await page.getByRole('link', { name: 'Personal data …' }).press('Enter');
    await page.getByRole('heading', { name: 'Personal data: Ada Lovelace' }).waitFor();
    await page.getByText(BACKUP).waitFor();
    const links = await page
      .locator('a[download]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(links).to.deep.equal([ADA, SPARE].map((id) => `./api/person/data?id=${id}`));
    await expectAccessible(page);
  });

  it('erases somebody with all tags, only after what would go was shown and the name was typed', async () => {
    const page = await open(`/personal/${ADA}`);
    await page.getByRole('button', { name: 'Erase …' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Erase Ada Lovelace for good?' });
    const button = dialog.getByRole('button', { name: 'Erase', exact: true });
    expect(await button.isDisabled()).to.equal(true);
    await dialog.getByRole('textbox').fill('Ada');
    await page.keyboard.press('Enter');
    expect(await button.isDisabled()).to.equal(true);
    await expectAccessible(page);
    await dialog.getByRole('textbox').fill('Ada Lovelace');
    await page.keyboard.press('Enter');
    await page.getByText('Everything that was kept of this person is erased.').waitFor();
    await page.getByText('No file of the store has a trace of it any more.').waitFor();
    await page.getByText(BACKUP).waitFor();
    expect(erased).to.deep.equal([[ADA, SPARE]]);
    await expectAccessible(page);
  });

  it('finds somebody, and says how long days are kept and who was erased', async () => {
    const page = await open('/personal');
    await page.getByText('Days are kept for 24 months.').waitFor();
    await page.getByText('Today 1 day with 7 entries would go.').waitFor();
    await page.getByText('abababab').waitFor();
    await page.getByRole('searchbox', { name: 'Who' }).fill('love');
    await page.getByRole('button', { name: 'Lovelace, Ada' }).press('Enter');
    await page.getByRole('heading', { name: 'Personal data: Ada Lovelace' }).waitFor();
  });

  for (const [language, theme, width] of [
    ['en-GB', 'light', 320],
    ['de-DE', 'dark', 1200],
  ] as const)
    it(`is whole and accessible in ${language}, ${theme}, ${width} pixels wide`, async () => {
      const page = await open('/personal', { language, theme, viewport: { width, height: 800 } });
      await page.getByText('abababab').waitFor();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await page.evaluate((id) => (location.hash = `/personal/${id}`), ADA);
      await page.getByText(BACKUP).waitFor();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    });
});

describe('the page of the audit trail', () => {
  const fixture = new BrowserFixture();
  const COUNT = 150;

  async function open(isWhole: boolean, options = {}): Promise<Page> {
    const context = await fixture.newContext(options);
    const page = await context.newPage();
    await answer(page, '/api/audit', ({ query }) => {
      const limit = Number(query.get('limit'));
      const after = query.get('after');
      const first = after === null ? Math.max(0, COUNT - limit) : Number(after);
      const entries = Array.from({ length: Math.min(limit, COUNT - first) }, (_, index) => ({
        number: first + index + 1,
        at: 1_740_000_000 + first + index,
        actor: 'ada',
        action: (first + index) % 2 === 0 ? 'signed-in' : 'corrected',
        details: { count: index },
      }));
      return { entries, isWhole };
    });
    await page.goto(`${fixture.service.url}/#/audit`);
    await page.waitForSelector('[data-state="open"]', { state: 'attached' });
    return page;
  }

  it('lists what was done, the latest first, and older things when they are asked for', async () => {
    const page = await open(true);
    await page.getByText('The trail is whole').waitFor();
    const numbers = (): Promise<string[]> => textsOf(page, 'tbody td[data-column="number"]');
    expect((await numbers()).slice(0, 2)).to.deep.equal(['150', '149']);
    await page.getByRole('button', { name: 'Show older ones' }).press('Enter');
    await page.getByRole('button', { name: 'Show older ones' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).to.equal(String(COUNT + 1));
    await page.getByRole('combobox', { name: 'Show' }).selectOption('corrected');
    expect(new Set(await textsOf(page, 'tbody th'))).to.deep.equal(new Set(['Corrected the record']));
    await expectAccessible(page);
  });

  it('says that it is not whole', async () => {
    const page = await open(false, {
      language: 'de-DE',
      theme: 'dark',
      viewport: { width: 320, height: 800 },
    });
    await page.getByText('Das Protokoll ist nicht vollständig').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});

describe('the health of the service', () => {
  const fixture = new BrowserFixture();

  it('is said in words, part by part, on the page of care', async () => {
    const context = await fixture.newContext();
    const page = await context.newPage();
    await answer(page, '/api/health', () => ({
      status: 'warn',
      isReady: true,
      parts: [
        { part: 'store', status: 'ok' },
        { part: 'clock', status: 'warn', detail: 'the system waits for a time server' },
      ],
    }));
    await page.goto(`${fixture.service.url}/#/care`);
    const card = page.getByRole('region', { name: 'Health' });
    await card.getByText('Something needs a look').waitFor();
    await card.getByText('Store: well').waitFor();
    await card.getByText('Clock: needs a look').waitFor();
    await card.getByText('the system waits for a time server').waitFor();
    await expectAccessible(page);
  });
});
