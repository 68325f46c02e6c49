import { expect } from 'chai';
import { BrowserFixture, expectAccessible, expectWhole, LOOKS, textsOf } from './fixtures/browser.js';
import { ADA, GRACE } from './fixtures/record.js';

const UNKNOWN = '04DEADBEEF';

describe('the muster list', () => {
  const fixture = new BrowserFixture();

  beforeEach(async () => {
    await fixture.service.nameBoth();
    await fixture.service.record(ADA, UNKNOWN, GRACE);
  });

  it('has everybody by last name, and unnamed tags at its end', async () => {
    const page = await fixture.open({ page: '/muster' });
    await page.getByText('3 people').waitFor();
    const [first, second, third] = await textsOf(page, '.muster-name');
    expect([first, second]).to.deep.equal(['Hopper, Grace', 'Lovelace, Ada']);
    expect(third).to.match(/^04 DE AD BE EF\s*Unnamed tag$/);
    expect(await page.getByText('1 unnamed').count()).to.equal(1);
  });

  for (const { language, screens } of LOOKS) {
    it(`is whole and accessible in ${language} on small and wide screens, light and dark`, async () => {
      const page = await fixture.open({ language, page: '/muster' });
      await page.locator('.muster-list').waitFor();
      await expectWhole(page, screens);
    });
  }

  it('is ticked with the keyboard alone, and counts', async () => {
    const page = await fixture.open({ page: '/muster' });
    const box = page.getByRole('checkbox', { name: 'Hopper, Grace is safe' });
    await box.press('Space');
    await page.getByText('1 of 3 ticked').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByText('2 of 3 ticked').waitFor();
    await expectAccessible(page);
  });

  it('keeps its ticks when somebody taps meanwhile', async () => {
    const page = await fixture.open({ page: '/muster' });
    await page.getByRole('checkbox', { name: 'Hopper, Grace is safe' }).check();
    fixture.service.tap('04AABBCCDD');
    await page.getByText('4 people').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Hopper, Grace is safe' }).isChecked()).to.equal(true);
  });

  it('says after 20 seconds without a packet since when nothing is heard', async () => {
    const context = await fixture.newContext();
    await context.clock.install();
    const page = await fixture.open({ context, page: '/muster', allowsErrors: true });
    await page.getByText(/^Live: /).waitFor();
    fixture.service.freeze();
    await context.clock.runFor(19_000);
    expect(await page.getByText(/^Live: /).count()).to.equal(1);
    await context.clock.runFor(2_000);
    await page.getByText(/No connection since \d\d:\d\d/).waitFor();
    expect(await page.locator('.stale-age').innerText()).to.match(/^2\d seconds? old$/);
  });

  it('has boxes to tick, the number of people and the time on paper, and no buttons', async () => {
    const page = await fixture.open({ page: '/muster' });
    await page.locator('.muster-list').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').filter({ visible: true }).count()).to.equal(0);
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).to.equal(0);
    expect(await page.getByText(/Printed .*\d\d:\d\d/).isVisible()).to.equal(true);
    expect(await page.getByRole('checkbox').count()).to.equal(3);
    const paper = await page.pdf({ format: 'A4' });
    expect(paper.subarray(0, 5).toString('latin1')).to.equal('%PDF-');
    expect(paper.toString('latin1').match(/\/Type \/Page\b/g)).to.have.lengthOf(1);
  });

  it('stays, with its age, when the service is gone', async () => {
    const page = await fixture.open({ page: '/muster', allowsErrors: true });
    await page.getByText('3 people').waitFor();
    await fixture.service.kill();
    await page.locator('.stale').waitFor();
    expect(await textsOf(page, '.stale-age')).to.match(/\d+ (?:second|minute)s? old/);
    expect(await page.getByRole('checkbox').count()).to.equal(3);
    await expectAccessible(page);
  });

  it('is there when the service is gone, though nobody has opened it before', async () => {
    const page = await fixture.open({ allowsErrors: true });
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    await fixture.service.kill();
    await page.getByRole('link', { name: 'Muster list' }).first().click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.getByRole('checkbox', { name: 'Lovelace, Ada is safe' }).waitFor();
  });
});
