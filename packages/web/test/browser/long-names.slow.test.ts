import { BrowserFixture, expectNoSidewaysScroll, goTo } from './fixtures/browser.js';

const ID = '04A2B3C4D5';
const LAST = 'Donaudampfschifffahrtsgesellschaftskapitänswitwe';
const SECRET = 'a sentence of hers';

/** Pages that show a name or have a table with many columns. */
const pages = [
  '/',
  '/muster',
  '/people',
  '/days',
  `/person/tag-${ID}`,
  '/corrections',
  `/personal/tag-${ID}`,
  '/account',
];

describe('a name of one long word', () => {
  const fixture = new BrowserFixture();

  it('makes no page wider than a small screen, in German', async () => {
    const { service } = fixture;
    await service.name(ID, 'Maximiliane Christiane', LAST);
    await service.record(ID);
    await service.addAdmin('sekretariat', SECRET);
    const day = await service.request('GET', `/api/day?timestamp=${Math.floor(Date.now() / 1_000)}`);
    const { date } = (await day.json()) as { date: number };
    const forgotten = { action: 'add', day: date - 1, id: ID, at: (date - 1) * 86_400 + 43_200 };
    const reason = 'Der Chip lag nur auf dem Lesegerät, sagt die Pförtnerin';
    await service.request('POST', '/api/corrections', { ...forgotten, reason });
    const options = { language: 'de-DE', isRefused: true };
    const page = await fixture.openAs('sekretariat', SECRET, options);
    for (const path of pages) {
      if (path !== '/') await goTo(page, path);
      const seen = path === '/account' ? 'td' : `:text("${LAST}")`;
      await page.locator(seen).first().waitFor();
      for (const width of [320, 768]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScroll(page);
      }
    }
  });
});
