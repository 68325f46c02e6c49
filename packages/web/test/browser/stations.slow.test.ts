import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { answer } from './fixtures/answers.js';
import { BrowserFixture, expectAccessible, expectWhole } from './fixtures/browser.js';

const NOW = Math.floor(Date.now() / 1_000);
const refusal = {
  ...{ run: 'a', cursor: 4, at: NOW - 60, code: 'DAY_NOT_KEPT' },
  message: 'days before 2025-01-01 are not kept',
};

const hall = {
  ...{ name: 'hall', version: '1.4.0', heardAt: NOW - 5, waiting: 0, oldestWaitingAt: null },
  ...{ provisional: 0, isClockTrusted: true, run: 'a', acknowledged: 9, refused: [] },
};
const gym = {
  ...{
    name: 'gym',
    version: '1.3.2',
    heardAt: NOW - 172_800,
    waiting: 1_204,
    oldestWaitingAt: NOW - 180_000,
  },
  ...{ provisional: 3, isClockTrusted: false, run: 'b', acknowledged: 9, refused: [refusal] },
};

const upstream = {
  ...{ centre: 'centre.example.org', connection: 'waiting', waiting: 17, oldestWaitingAt: NOW - 7_200 },
  ...{ lastContactAt: NOW - 7_300, refused: [refusal], refusedCount: 1 },
  lastFault: {
    ...{ code: 'UPSTREAM_UNAVAILABLE', at: NOW - 30 },
    message: 'the centre at centre.example.org does not listen there (ECONNREFUSED)',
  },
};

const looks = [
  { language: 'en-GB', theme: 'light', widths: [320, 1200] },
  { language: 'de-DE', theme: 'dark', widths: [320, 1200] },
] as const;

describe('the page of the system, of stations and their centre', () => {
  const fixture = new BrowserFixture();
  let stations: object[];
  let forgotten: (string | null)[];

  beforeEach(() => {
    stations = [hall, gym];
    forgotten = [];
  });

  async function prepare(page: Page, toCentre: object | null): Promise<void> {
    await answer(page, '/api/stations', ({ method, query }) => {
      if (method === 'GET') return stations;
      forgotten.push(query.get('name'));
      stations = stations.filter((each) => each !== gym);
      return undefined;
    });
    await answer(page, '/api/status', () => ({
      ...{ version: '1.4.0', startedAt: NOW - 90_000, publishers: [], upstream: toCentre },
      storage: { freeBytes: 5_000_000_000, usedBytes: 325_000 },
    }));
  }

  const open = (options = {}, toCentre: object | null = upstream): Promise<Page> =>
    fixture.open({ ...options, page: '/system', prepare: (page) => prepare(page, toCentre) });

  it('lists the stations, those first that need a look, with the reason', async () => {
    const page = await open({}, null);
    const card = page.getByRole('region', { name: 'Stations' });
    await card.getByText('1 station needs attention').waitFor();
    expect(await card.locator('strong').allTextContents()).to.deep.equal(['gym', 'hall']);
    await card.getByText(/^Not heard from since .* · Version 1\.3\.2$/).waitFor();
    await card.getByText(/^1,204 changes are waiting to be sent since /).waitFor();
    await card.getByText('3 taps there are waiting for the right time').waitFor();
    await card.getByText('Its clock may be wrong.').waitFor();
    await card.getByText('1 change was refused').click();
    await card.getByText('days before 2025-01-01 are not kept').waitFor();
    await card.getByText('Everything has been sent.').waitFor();
    expect(await page.getByRole('region', { name: /^Centre/ }).count()).to.equal(0);
    await expectAccessible(page);
  });

  it('forgets a station, after it was confirmed', async () => {
    const page = await open({}, null);
    await page.getByRole('button', { name: 'Forget gym' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Forget the station gym?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Forget', exact: true }).click();
    await page.getByText('gym is no longer listed.').waitFor();
    await page.getByText('All stations are OK').waitFor();
    expect(forgotten).to.deep.equal(['gym']);
  });

  it('says nothing of stations where there are none', async () => {
    stations = [];
    const page = await open({}, null);
    await page.getByRole('heading', { name: 'Clock' }).waitFor();
    expect(await page.getByRole('region', { name: 'Stations' }).count()).to.equal(0);
  });

  it('says at a station that the centre is away, what waits, and that nothing is lost', async () => {
    stations = [];
    const page = await open();
    const card = page.getByRole('region', { name: 'Centre: centre.example.org' });
    await card.getByText('Unreachable: taps are kept here until it is back').waitFor();
    await card.getByText(/^17 changes are waiting to be sent since /).waitFor();
    await card.getByText('1 change was refused').waitFor();
    await card.getByText('Details').click();
    await card.getByText('UPSTREAM_UNAVAILABLE').waitFor();
    await expectAccessible(page);
  });

  for (const { language, theme, widths } of looks) {
    it(`is whole and accessible in ${language}, ${theme}, ${widths.join(', ')} pixels wide`, async () => {
      const page = await open({ language, theme });
      await page.getByText('gym', { exact: true }).waitFor();
      await expectWhole(page, widths);
      const folder = process.env['TALLYBOOK_TEST_SCREENSHOTS'];
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/stations-${language}.png`, fullPage: true });
    });
  }
});
