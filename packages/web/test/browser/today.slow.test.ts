import { expect } from 'chai';
import { BrowserFixture, expectAccessible, expectWhole, textsOf } from './fixtures/browser.js';
import { PathProxy } from './fixtures/path-proxy.js';
import { ADA, GRACE } from './fixtures/record.js';

const UNKNOWN = '04DEADBEEF';

const looks = [
  { language: 'en-GB', theme: 'light', widths: [320, 1200, 3840], unnamed: '1 unnamed tag' },
  { language: 'de-DE', theme: 'dark', widths: [320, 1200, 3840], unnamed: '1 Chip ohne Namen' },
  { language: 'de-AT', theme: 'light', widths: [800], unnamed: '1 Chip ohne Namen' },
  // There is no translation for it, so it is English.
  { language: 'fr-FR', theme: 'dark', widths: [800], unnamed: '1 unnamed tag' },
] as const;

describe('the page of today', () => {
  const fixture = new BrowserFixture();

  beforeEach(() => fixture.service.nameBoth());

  it('says that nobody is here, and shows who comes as soon as they tap', async () => {
    const page = await fixture.open();
    await page.getByText('Nobody yet today').waitFor();
    fixture.service.tap(ADA);
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    expect(await textsOf(page, '.count')).to.deep.equal(['1 person is here']);
    // The page may read the record before the event of the tap comes.
    await page.locator('.last-tap strong').getByText('Ada Lovelace', { exact: true }).waitFor();
  });

  it('shows who came before it was opened', async () => {
    await fixture.service.record(ADA, GRACE);
    const page = await fixture.open();
    await page.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
    expect(await textsOf(page, '.count strong')).to.deep.equal(['2']);
  });

  it('is drawn from what the browser asked for with the document, while the program was on its way', async () => {
    await fixture.service.record(ADA);
    const page = await fixture.visit();
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    const asked = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => [entry.name.replace(/.*\//, ''), (entry as PerformanceResourceTiming).initiatorType]),
    );
    for (const name of ['session', 'today', 'people?limit=1000'])
      expect(asked.find(([each]) => each === name)).to.deep.equal([name, 'link']);
  });

  it('tells a tap that is counted already from one that counts', async () => {
    const page = await fixture.open();
    fixture.service.tap(ADA);
    await page.locator('.last-tap[data-outcome="counted"]').waitFor();
    await fixture.service.nextSecond();
    fixture.service.tap(ADA);
    await page.locator('.last-tap[data-outcome="already-counted"]').waitFor();
    expect(await textsOf(page, '.last-tap')).to.match(/Already counted/);
    expect(await textsOf(page, '.count strong')).to.deep.equal(['1']);
  });

  it('shows the name of the last tap that its tag got afterwards, or that changed', async () => {
    const page = await fixture.open();
    fixture.service.tap(UNKNOWN);
    const last = page.locator('.last-tap strong');
    await last.getByText('Unnamed tag').waitFor();
    await fixture.service.name(UNKNOWN, 'Alan', 'Turing');
    await last.getByText('Alan Turing').waitFor();
    await fixture.service.name(UNKNOWN, 'Alan M.', 'Turing');
    await last.getByText('Alan M. Turing').waitFor();
  });

  for (const { language, theme, widths, unnamed } of looks) {
    it(`is whole and accessible in ${language}, ${theme}, ${widths.join(', ')} pixels wide`, async () => {
      const page = await fixture.open({ language, theme });
      fixture.service.tap(ADA, GRACE, UNKNOWN);
      await page.getByText(unnamed).waitFor();
      await page.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
      await expectWhole(page, widths);
    });
  }

  it('closes a dialog by Escape, and gives the focus back', async () => {
    const page = await fixture.open();
    await page.getByText('Nobody yet today').waitFor();
    const button = page.getByRole('button', { name: 'Add a guest' });
    await button.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).to.equal(true);
  });

  it('keeps a dialog that is opened before the browser says that the one before was closed', async () => {
    const page = await fixture.open();
    await page.getByText('Nobody yet today').waitFor();
    await page.getByRole('button', { name: 'Add a guest' }).press('Enter');
    const before = await page.getByRole('dialog').elementHandle();
    await page.evaluate(async (dialog) => {
      if (!(dialog instanceof HTMLDialogElement)) throw new Error('there is no dialog');
      const closed = new Promise((resolve) => dialog.addEventListener('close', resolve));
      // Presses Escape, and then Enter on the button that has the focus again, before the event `close` comes.
      dialog.requestClose();
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      if (document.activeElement instanceof HTMLElement) document.activeElement.click();
      await closed;
    }, before);
    await page.getByRole('textbox', { name: 'First name' }).fill('Alan');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Alan' }).waitFor();
  });

  it('sorts by what is pressed', async () => {
    const page = await fixture.open();
    fixture.service.tap(ADA, GRACE);
    await page.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
    await page.getByRole('button', { name: 'Name' }).press('Enter');
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['Hopper, Grace', 'Lovelace, Ada']);
    await page.getByRole('button', { name: 'Name' }).press('Enter');
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['Lovelace, Ada', 'Hopper, Grace']);
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).to.equal(
      'descending',
    );
  });

  it('works below a path', async () => {
    const path = '/ingress/token/';
    await using proxy = await new PathProxy(fixture.service.url, path).listen();
    const page = await fixture.open({ base: proxy.url + path });
    fixture.service.tap(ADA);
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    // It would report that its proxy is gone.
    await page.context().close();
  });

  it('says since when the service is gone, and catches up when it is back', async () => {
    const page = await fixture.open({ allowsErrors: true });
    fixture.service.tap(ADA);
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    await fixture.service.kill();
    await page.getByText(/No connection since \d\d:\d\d/).waitFor();
    await expectAccessible(page);
    await fixture.service.resume();
    fixture.service.tap(GRACE);
    await page.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
    await page.getByText('Live').waitFor();
    expect(await page.getByText(/No connection since/).count()).to.equal(0);
  });

  it('says in both languages that it needs JavaScript, where there is none', async () => {
    const context = await fixture.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${fixture.service.url}/`);
    expect(await page.locator('noscript').innerText()).to.match(/needs JavaScript.*braucht JavaScript/s);
  });
});

describe('several tabs of the page', () => {
  const fixture = new BrowserFixture();

  for (const count of [2, 7]) {
    it(`are ${count} that all show a tap`, async () => {
      await fixture.service.name(ADA, 'Ada', 'Lovelace');
      const context = await fixture.newContext();
      const pages = [];
      for (let n = 0; n < count; n++) pages.push(await fixture.open({ context }));
      await Promise.all(pages.map((page) => page.getByText('Nobody yet today').waitFor()));
      fixture.service.tap(ADA);
      await Promise.all(
        pages.map((page) => page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor()),
      );
    });
  }

  it('go on when the one with the stream is closed', async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    const context = await fixture.newContext();
    const first = await fixture.open({ context });
    await first.getByText('Live').waitFor();
    const second = await fixture.open({ context });
    await second.getByText('Live').waitFor();
    await first.close();
    fixture.service.tap(ADA);
    await second.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
  });
});
