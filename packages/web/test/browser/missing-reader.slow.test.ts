import { expect } from 'chai';
import { BrowserFixture, expectNoSidewaysScroll, expectWhole, LOOKS } from './fixtures/browser.js';

const ADA = '04A2B3C4D5';
const SECRET = 'a sentence of Ada';
const PLACE = 'Freiwillige Feuerwehr Nordwald an der Donau';
const WORDS = {
  'en-GB': { missing: /^Reader “gate” missing since .*\d\d:\d\d\./, short: 'Reader missing' },
  'de-DE': { missing: /^Leser „gate“ fehlt seit .*\d\d:\d\d\./, short: 'Leser fehlt' },
} as const;

describe('a reader that cannot be opened', () => {
  const fixture = new BrowserFixture([], {
    settings: ['--clock', 'trusted', '--name', PLACE, '--reader', 'serial:/dev/nowhere?name=gate'],
  });

  for (const { language, screens } of LOOKS) {
    for (const path of ['/', '/muster', '/people', '/days']) {
      it(`is shown at ${path} in ${language}, and no such page says that taps appear at once`, async () => {
        const page = await fixture.open({ language, page: path });
        const { missing, short } = WORDS[language];
        await page.locator('strong').getByText(missing).waitFor();
        expect(await page.locator('.pill').innerText()).to.equal(short);
        expect(await page.getByText(/\b(?:Live|at once|right away|as soon as|sofort)\b/).count()).to.equal(0);
        const link = page.getByRole('navigation').getByRole('link', { name: short });
        expect(await link.getAttribute('href')).to.equal('#/system');
        if (path === '/') await expectWhole(page, screens);
      });
    }
  }

  it('is named in one row with the place and the user on a small screen', async () => {
    await fixture.service.addUser('ada.lovelace', 'admin', SECRET);
    const page = await fixture.openAs('ada.lovelace', SECRET, { isRefused: true });
    const parts = page.locator('header.top > :not(nav)');
    await page.locator('.pill').getByText('Reader missing').waitFor();
    for (const width of [320, 390, 700]) {
      await page.setViewportSize({ width, height: 844 });
      const rows = await parts.evaluateAll((all) =>
        all.map((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        }),
      );
      expect(rows, `${width} pixels`).to.have.length(3);
      expect(new Set(rows).size, `${width} pixels: ${rows.join()}`).to.equal(1);
      await expectNoSidewaysScroll(page);
    }
  });

  it('is on the muster list on paper too', async () => {
    const page = await fixture.open({ page: '/muster' });
    await page.locator('strong').getByText(WORDS['en-GB'].missing).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Taps there are not recorded.').isVisible()).to.equal(true);
    expect(await page.locator('.dot').isVisible()).to.equal(false);
  });

  it('is shown at the kiosk, also to a user who may see only today', async () => {
    await fixture.service.addAdmin('ada', SECRET);
    await fixture.service.addUser('wall', 'kiosk', SECRET);
    const page = await fixture.openAs('wall', SECRET, { page: '/kiosk', isRefused: true });
    await page.getByText(/^Reader “gate” missing since \d\d:\d\d$/).waitFor();
    expect(await page.getByText('Your name appears here right away.').count()).to.equal(0);
    fixture.service.tap(ADA);
    await page.getByText('Unnamed tag').first().waitFor();
  });
});
