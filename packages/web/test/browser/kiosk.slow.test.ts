import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { BrowserFixture, expectAccessible, expectWhole } from './fixtures/browser.js';

const ADA = '04A2B3C4D5';

describe('the kiosk', () => {
  const fixture = new BrowserFixture();

  beforeEach(() => fixture.service.name(ADA, 'Ada', 'Lovelace'));

  it('asks for a tag until somebody taps, and again after a while', async () => {
    const page = await fixture.open({ page: '/kiosk' });
    await page.getByRole('heading', { name: 'Hold your tag to the reader' }).waitFor();
    fixture.service.tap(ADA);
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('heading', { name: 'Hold your tag to the reader' }).waitFor();
  });

  for (const [answer, words, tag] of [
    ['welcome', 'Welcome', ADA],
    ['again', 'Already counted', ADA],
    ['unknown', 'Unnamed tag', '04DEADBEEF'],
  ] as const) {
    for (const theme of ['light', 'dark'] as const) {
      it(`answers "${answer}" as the light does, ${theme}`, async () => {
        const page = await fixture.open({ page: '/kiosk', theme, viewport: { width: 1024, height: 600 } });
        await page.getByText('Reader ready').waitFor();
        if (answer === 'again') {
          fixture.service.tap(tag);
          await page.getByText('Welcome').waitFor();
          await fixture.service.nextSecond();
        }
        fixture.service.tap(tag);
        await page.locator(`.kiosk[data-answer="${answer}"]`).getByText(words).waitFor();
        await expectAccessible(page);
      });
    }
  }

  it('fits screens of a phone, a door and a wall', async () => {
    const page = await fixture.open({ page: '/kiosk', language: 'de-DE', theme: 'dark' });
    await page.getByText('Leser bereit').waitFor();
    await expectWhole(page, [320, 1024, 3840]);
  });

  it('says since when there is no connection', async () => {
    const page = await fixture.open({ page: '/kiosk', allowsErrors: true });
    await page.getByText('Reader ready').waitFor();
    await fixture.service.kill();
    await page.getByText(/No connection since \d\d:\d\d/).waitFor();
    await expectAccessible(page);
  });

  it('loads itself anew when the service has another build of it, and only then', async () => {
    const context = await fixture.newContext();
    await context.clock.install();
    const page = await fixture.open({ context, page: '/kiosk' });
    await page.getByText('Reader ready').waitFor();
    const start = `${fixture.service.url}/`;
    const ask = async (): Promise<void> => {
      const answer = page.waitForResponse(start);
      await context.clock.fastForward(60_000);
      await (await answer).finished();
    };
    await page.evaluate(() => (document.documentElement.id = 'same'));
    await ask();
    expect(await page.locator('#same').count()).to.equal(1);
    const another = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll(/index-[^.]+\.js/g, 'index-b.js'),
      });
    };
    await page.route(start, another, { times: 1 });
    const loaded = page.waitForEvent('load');
    await ask();
    await loaded;
    await page.getByText('Reader ready').waitFor();
    expect(await page.locator('#same').count()).to.equal(0);
  });

  it('holds no more after a thousand taps than after a hundred', async () => {
    const page = await fixture.open({ page: '/kiosk' });
    const session = await page.context().newCDPSession(page);
    const count = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Memory.getDOMCounters')).nodes;
    };
    const tap = async (times: number): Promise<void> => {
      // One tag counts once in a second.
      const tags = Array.from({ length: times }, (_, n) => `05${String(times + n).padStart(8, '0')}`);
      fixture.service.tap(...tags);
      await page.getByRole('heading', { name: 'Unnamed tag' }).waitFor();
      await fixture.service.nextSecond();
      fixture.service.tap(ADA);
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    };
    await tap(100);
    const before = await count();
    await tap(1_000);
    expect(await count()).to.be.at.most(before + 50);
  });
});
