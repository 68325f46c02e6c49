import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { BrowserFixture, expectAccessible, expectWhole, goTo, LOOKS, textsOf } from './fixtures/browser.js';

const ADA = '04A2B3C4D5';
const ONE = '04DEADBEEF';
const TWO = '04CAFEBABE';
const THREE = '04C0FFEE00';

const WHOSE = { 'en-GB': 'Whose tag is 04 DE AD BE EF?', 'de-DE': 'Wem gehört 04 DE AD BE EF?' };

async function typeName(page: Page, first: string, last: string): Promise<void> {
  await page.keyboard.type(first);
  await page.keyboard.press('Enter');
  await page.keyboard.type(last);
  await page.keyboard.press('Enter');
}

describe('the page that names tags', () => {
  const fixture = new BrowserFixture();

  for (const { language, screens } of LOOKS) {
    it(`is whole and accessible in ${language} on small and wide screens, light and dark`, async () => {
      const page = await fixture.open({ language, page: '/people/enrol' });
      await expectWhole(page, screens);
      fixture.service.tap(ONE, TWO, THREE);
      await page.getByText(WHOSE[language]).waitFor();
      await typeName(page, 'Alan', 'Turing');
      await page.locator('.enrol-done li').waitFor();
      await expectWhole(page, screens);
    });
  }

  it('names one tag after another with taps and the keyboard alone', async () => {
    const page = await fixture.open({ page: '/people/enrol' });
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    fixture.service.tap(ONE);
    await page.getByText('Whose tag is 04 DE AD BE EF?').waitFor();
    await typeName(page, 'Alan', 'Turing');
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    fixture.service.tap(TWO);
    await page.getByText('Whose tag is 04 CA FE BA BE?').waitFor();
    await typeName(page, 'Emmy', '');
    await page.getByText('2 given out just now').waitFor();
    expect(await fixture.service.nameOf(ONE)).to.deep.equal({ first: 'Alan', last: 'Turing' });
    expect(await fixture.service.nameOf(TWO)).to.deep.equal({ first: 'Emmy', last: '' });
  });

  it('lets tags be held ahead, and keeps their order', async () => {
    const page = await fixture.open({ page: '/people/enrol' });
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    fixture.service.tap(ONE, TWO, THREE);
    await page.getByText('Waiting: 2 more tags.').waitFor();
    await typeName(page, 'Alan', 'Turing');
    await page.getByText('Whose tag is 04 CA FE BA BE?').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Whose tag is 04 C0 FF EE 00?').waitFor();
    await typeName(page, 'Emmy', 'Noether');
    await page.getByText('2 given out just now').waitFor();
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    await page.locator('tbody th').waitFor();
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['04 CA FE BA BE']);
  });

  it('asks whose a typed number is, and takes the next one', async () => {
    const page = await fixture.open({ page: '/people/enrol' });
    const tag = page.getByRole('textbox', { name: 'Tag' });
    for (const [id, press] of [
      [ONE, () => page.getByRole('button', { name: 'Save' }).click()],
      [TWO, () => page.getByRole('textbox', { name: 'Last name' }).press('Enter')],
    ] as const) {
      await tag.fill(id);
      await tag.press('Enter');
      await page.getByRole('option', { name: 'Somebody new' }).click();
      await page.getByRole('textbox', { name: 'First name' }).fill('Alan');
      await page.getByRole('textbox', { name: 'Last name' }).fill('Turing');
      await press();
      await tag.waitFor();
      expect(await fixture.service.nameOf(id)).to.deep.equal({ first: 'Alan', last: 'Turing' });
      expect(await tag.evaluate((input) => input === document.activeElement)).to.equal(true);
    }
  });

  it('forgets what was typed for a tag that is left out', async () => {
    const page = await fixture.open({ page: '/people/enrol' });
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    fixture.service.tap(ONE, TWO);
    await page.getByText('Waiting: 1 more tag.').waitFor();
    await page.keyboard.type('Ada');
    await page.getByRole('option', { name: 'Somebody new: Ada' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Whose tag is 04 CA FE BA BE?').waitFor();
    expect(await page.getByRole('combobox', { name: 'Name or number' }).inputValue()).to.equal('');
  });

  it('takes the number of a tag from a reader that types like a keyboard', async () => {
    const page = await fixture.open({ page: '/people/enrol', allowsErrors: true });
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    await page.keyboard.type('nonsense');
    await page.keyboard.press('Enter');
    await page.getByText('A tag number has 6 to 20 digits').waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Tag' }).fill('');
    await page.keyboard.type('04deadbeef');
    await page.keyboard.press('Enter');
    await page.getByText('Whose tag is 04 DE AD BE EF?').waitFor();
    await typeName(page, 'Alan', 'Turing');
    await page.getByText('1 given out just now').waitFor();
    expect(await fixture.service.nameOf(ONE)).to.deep.equal({ first: 'Alan', last: 'Turing' });
  });

  it('takes a tag from the moment on in which it is drawn', async () => {
    const page = await fixture.open({ page: '/people/enrol' });
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    await goTo(page, '/people');
    // From now on the page draws, but its timers do not fire.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await goTo(page, '/people/enrol');
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    fixture.service.tap(ONE);
    await page.getByText('Whose tag is 04 DE AD BE EF?').waitFor();
  });

  it('does not save without a name', async () => {
    const page = await fixture.open({ page: `/people/enrol/${ONE}` });
    await page.getByText('Whose tag is 04 DE AD BE EF?').waitFor();
    await typeName(page, ' ', ' ');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a first or a last name.').waitFor();
    expect(await fixture.service.nameOf(ONE)).to.equal(undefined);
  });

  it('says whose a tag is already, and that somebody of that name is there already', async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    const page = await fixture.open({ page: '/people/enrol' });
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    fixture.service.tap(ADA);
    await page.getByText('The last tag already belongs to Ada Lovelace.').waitFor();
    fixture.service.tap(ONE);
    await page.getByText('Whose tag is 04 DE AD BE EF?').waitFor();
    await page.keyboard.type('Ada');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Lovelace');
    await page.getByText('Saving adds another person of that name.').waitFor();
    await page.getByRole('link', { name: 'Lovelace, Ada' }).waitFor();
    await expectAccessible(page);
  });

  it('undoes a name, and asks for it again', async () => {
    const page = await fixture.open({ page: `/people/enrol/${ONE}` });
    await page.getByText('Whose tag is 04 DE AD BE EF?').waitFor();
    await typeName(page, 'Alan', 'Turing');
    await page.getByRole('button', { name: 'Undo: 04 DE AD BE EF' }).press('Enter');
    await page.getByText('Whose tag is 04 DE AD BE EF?').waitFor();
    expect(await fixture.service.nameOf(ONE)).to.equal(undefined);
  });

  it('is gone to from the unnamed tags of today, and from its own list', async () => {
    await fixture.service.record(ONE, TWO);
    const page = await fixture.open();
    await page.getByRole('link', { name: 'Give it a name: 04 DE AD BE EF' }).press('Enter');
    await page.getByText('Whose tag is 04 DE AD BE EF?').waitFor();
    await page.getByText('2 unnamed tags').first().waitFor();
    await page.getByRole('button', { name: 'Give it a name: 04 CA FE BA BE' }).press('Enter');
    await page.getByText('Whose tag is 04 CA FE BA BE?').waitFor();
    await typeName(page, 'Emmy', 'Noether');
    await page.getByText('1 unnamed tag').first().waitFor();
    expect(await fixture.service.nameOf(TWO)).to.deep.equal({ first: 'Emmy', last: 'Noether' });
  });

  it('keeps what was typed while the service is gone', async () => {
    const page = await fixture.open({ page: `/people/enrol/${ONE}`, allowsErrors: true });
    await page.getByText('Whose tag is 04 DE AD BE EF?').waitFor();
    await fixture.service.kill();
    await typeName(page, 'Alan', 'Turing');
    await page.getByText('The service did not respond').waitFor();
    await fixture.service.resume();
    await page.keyboard.press('Enter');
    await page.getByText('1 given out just now').waitFor();
    expect(await fixture.service.nameOf(ONE)).to.deep.equal({ first: 'Alan', last: 'Turing' });
  });
});
