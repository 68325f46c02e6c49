import { expect } from 'chai';
import { BrowserFixture, expectAccessible, expectWhole, LOOKS, textsOf } from './fixtures/browser.js';

const ADA = '04A2B3C4D5';
const BADGE = '04BADBADBA';

const ADD = { 'en-GB': 'Add a guest', 'de-DE': 'Gast eintragen' };
const LEND = { 'en-GB': 'Lend a badge', 'de-DE': 'Chip ausleihen' };

describe('guests', () => {
  const fixture = new BrowserFixture([], { settings: ['--clock', 'trusted', '--reader', 'http:desk'] });

  for (const { language, screens } of LOOKS) {
    it(`are added in a dialog that is whole and accessible in ${language}`, async () => {
      await fixture.service.send('/api/person', { name: { first: 'Alan', last: 'Turing' } });
      const page = await fixture.open({ language });
      await page.getByRole('button', { name: ADD[language] }).click();
      await page.getByRole('dialog').getByRole('textbox').first().fill('ala');
      await page.getByRole('button', { name: LEND[language] }).click();
      await page.locator('.offered').waitFor();
      await expectWhole(page, screens);
    });
  }

  it('are added with the keyboard alone, and seen on every screen and in the muster list', async () => {
    const kiosk = await fixture.open({ page: '/kiosk' });
    const muster = await fixture.open({ page: '/muster' });
    const page = await fixture.open();
    await page.getByText('Nobody yet today').waitFor();
    await page.getByRole('button', { name: 'Add a guest' }).press('Enter');
    await page.getByRole('dialog', { name: 'Add a guest' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Enter a first or a last name.').waitFor();
    await expectAccessible(page);
    await page.keyboard.type('Alan');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Turing');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Ada Lovelace');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Turing, Alan Guest · Ada Lovelace' }).waitFor();
    await page.getByText('1 guest', { exact: false }).first().waitFor();
    await muster.getByRole('checkbox', { name: 'Turing, Alan is safe' }).waitFor();
    await kiosk.getByText('1 person is here').waitFor();
    await page.reload();
    await page.getByRole('rowheader', { name: 'Turing, Alan' }).waitFor();
  });

  it('get the badge that is tapped while the dialog waits for it, and give it back by a tap', async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    const page = await fixture.open();
    await page.getByRole('button', { name: 'Add a guest' }).click();
    await page.getByRole('textbox', { name: 'First name' }).fill('Emmy');
    await page.getByRole('button', { name: 'Lend a badge' }).click();
    // Somebody passes by.
    fixture.service.tap(ADA);
    await page.getByText('04 A2 B3 C4 D5 belongs to Ada Lovelace. Lend a badge that nobody has.').waitFor();
    fixture.service.tap(BADGE);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === '04 BA DB AD BA'),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Emmy Guest' }).waitFor();
    await page.getByRole('button', { name: 'Take back a badge' }).click();
    await page.getByRole('button', { name: 'Take back: Emmy 04 BA DB AD BA' }).waitFor();
    await expectAccessible(page);
    fixture.service.tap(ADA);
    await page.getByText('04 A2 B3 C4 D5 is not lent to a guest.').waitFor();
    await fixture.service.nextSecond();
    fixture.service.tap(BADGE);
    await page.getByText('Taken back: 04 BA DB AD BA, from Emmy.').waitFor();
    await page.getByText('No badge is lent.').waitFor();
    await page.keyboard.press('Escape');
    expect(await textsOf(page, 'tbody th')).to.have.lengthOf(2);
    expect(await textsOf(page, '.unnamed')).to.deep.equal([]);
  });

  it('who come again, and members without a tag, are here by one press', async () => {
    const { id } = await fixture.service.send<{ id: string }>('/api/person', {
      name: { first: 'Alan', last: 'Turing' },
    });
    const page = await fixture.open();
    await page.getByRole('button', { name: 'Add a guest' }).click();
    await page.getByRole('textbox', { name: 'Last name' }).fill('tur');
    await page.getByRole('button', { name: 'Alan Turing is here' }).click();
    await page.getByRole('rowheader', { name: 'Turing, Alan' }).waitFor();
    await page.evaluate((person) => (location.hash = `/person/${person}`), id);
    await page.getByRole('button', { name: 'Is here' }).click();
    await page.getByText('Alan Turing is here.').waitFor();
  });

  it('become members, who keep their past', async () => {
    const { id } = await fixture.service.send<{ id: string }>('/api/guest', {
      name: { first: 'Alan', last: 'Turing' },
      reason: 'Repair',
    });
    const page = await fixture.open({ page: `/person/${id}` });
    await page.getByText('Repair').waitFor();
    await page.getByRole('button', { name: 'Make a member' }).click();
    await page.getByText('Repair').waitFor({ state: 'detached' });
    await page.getByText(/^1 day, first tap/).waitFor();
    await expectAccessible(page);
  });

  it('are added at the kiosk, whose form closes when it is left alone', async () => {
    await fixture.service.addAdmin('root', 'tea in the garden');
    await fixture.service.addUser('door', 'kiosk', 'rain on the roof');
    const context = await fixture.newContext();
    await context.clock.install();
    const page = await fixture.openAs('door', 'rain on the roof', { context, page: '/kiosk' });
    const add = page.getByRole('button', { name: 'Add a guest' });
    expect((await add.boundingBox())?.height).to.be.at.least(48);
    await add.click();
    await page.getByRole('textbox', { name: 'First name' }).fill('Nobody');
    await context.clock.runFor(61_000);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await add.click();
    await page.getByRole('textbox', { name: 'First name' }).fill('Emmy');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Emmy' }).waitFor();
    await page.getByText('1 person is here').waitFor();
  });
});
