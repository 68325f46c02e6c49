import { expect } from 'chai';
import { BrowserFixture, expectAccessible, expectWhole, goTo, LOOKS, textsOf } from './fixtures/browser.js';
import { ADA, GRACE } from './fixtures/record.js';

const PASSWORD = 'tea in the garden';

describe('groups on the page', () => {
  const fixture = new BrowserFixture();

  beforeEach(async () => {
    await fixture.service.nameBoth();
    await fixture.service.send('/api/person', { id: `tag-${ADA}`, groups: ['7b', 'Board'] });
    await fixture.service.send('/api/person', { id: `tag-${GRACE}`, groups: ['7b'] });
  });

  for (const { language, screens } of LOOKS) {
    it(`are shown whole and accessible in ${language} on small and wide screens, light and dark`, async () => {
      await fixture.service.record(ADA, GRACE);
      const page = await fixture.open({ language, page: '/groups' });
      await page.getByRole('link', { name: '7b' }).waitFor();
      await expectWhole(page, screens);
      for (const path of ['/?group=7b', '/muster?group=7b', '/people?group=7b', `/person/tag-${ADA}`]) {
        await goTo(page, path);
        await page.locator('.groups, .memberships').first().waitFor();
        await expectWhole(page, screens);
      }
    });
  }

  it('limit Today, the muster list and the people, which the address remembers', async () => {
    await fixture.service.record(ADA, GRACE);
    const page = await fixture.open();
    const chips = page.getByRole('navigation', { name: 'Groups' });
    await chips.getByRole('link', { name: '7b 2' }).waitFor();
    await chips.getByRole('link', { name: 'Board 1' }).press('Enter');
    await page.getByText('1 person is here').waitFor();
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['Lovelace, Ada']);
    await page.reload();
    await page.getByText('1 person is here').waitFor();
    await page.locator('main').getByRole('link', { name: 'Muster list' }).click();
    await page.getByRole('heading', { name: 'Muster list: Board' }).waitFor();
    expect(await textsOf(page, '.muster-name')).to.deep.equal(['Lovelace, Ada']);
    await goTo(page, '/people?group=board');
    await page.getByRole('link', { name: 'Lovelace, Ada' }).waitFor();
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['Lovelace, Ada']);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByRole('link', { name: 'Hopper, Grace' }).waitFor();
  });

  it('limit the days and their files', async () => {
    await fixture.service.record(ADA, GRACE);
    const page = await fixture.open({ page: '/days' });
    await page.getByRole('link', { name: 'Board 1' }).click();
    await page.getByText('1 person', { exact: true }).waitFor();
    expect(await textsOf(page, '.days-chosen tbody th')).to.deep.equal(['Lovelace, Ada']);
    expect(await page.getByRole('link', { name: 'CSV' }).getAttribute('href')).to.match(/group=board/);
    await page.getByRole('button', { name: 'This month' }).click();
    await page.getByText('1 person · 1 day').waitFor();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByText('2 people · 1 day').waitFor();
  });

  it('limit nothing if they are not there, as after a merge', async () => {
    await fixture.service.record(ADA, GRACE);
    await fixture.service.send('/api/groups', { id: 'board', into: '7b' });
    const page = await fixture.open({ page: '/muster?group=board' });
    await page.getByText('2 people').first().waitFor();
    expect(await textsOf(page, '.muster-name')).to.deep.equal(['Hopper, Grace', 'Lovelace, Ada']);
  });

  it('keep the day of everybody from being removed while one of them is shown', async () => {
    await fixture.service.record(ADA, GRACE);
    const page = await fixture.open({ page: '/days' });
    await page.getByRole('button', { name: 'Remove this day' }).waitFor();
    await page.getByRole('link', { name: 'Board 1' }).click();
    await page.getByText('1 person', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove this day' }).count()).to.equal(0);
  });

  it('of a person are changed from today on, and earlier days stay', async () => {
    const page = await fixture.open({ page: `/person/tag-${ADA}` });
    // It is there before it is known in which groups the person was, and a key does not wait for that.
    await page.getByRole('button', { name: 'Groups', disabled: false }).press('Enter');
    await page.getByText('From this day on. Earlier days stay as they are.').waitFor();
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: '7b' }).uncheck();
    await page.getByRole('textbox', { name: 'Another group' }).fill('1st squad');
    await page.keyboard.press('Enter');
    await page.getByText(/^from the beginning, until /).waitFor();
    await page.getByRole('link', { name: '1st squad' }).waitFor();
    expect(await textsOf(page, '.memberships a')).to.have.members(['7b', 'Board', '1st squad']);
  });

  it('are renamed and merged', async () => {
    const page = await fixture.open({ page: '/groups' });
    await page.getByRole('button', { name: 'Rename 7b' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('8b');
    await page.keyboard.press('Enter');
    await page.getByText('The group is now called 8b.').waitFor();
    await page.getByRole('button', { name: 'Merge Board into another group' }).press('Enter');
    await page.getByRole('button', { name: 'Merge', exact: true }).press('Enter');
    await page.getByText('Choose a group.').waitFor();
    await page.getByRole('combobox', { name: 'Into' }).selectOption('8b');
    await page.getByText('Whoever is or was in Board is then in 8b.', { exact: false }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Merge', exact: true }).press('Enter');
    await page.getByText('Board is now part of 8b.').waitFor();
    expect(await textsOf(page, 'tbody th')).to.deep.equal(['8b']);
  });

  it('bind a user', async () => {
    await fixture.service.addUser('root', 'admin', PASSWORD);
    const page = await fixture.openAs('root', PASSWORD, { page: '/users' });
    await page.getByRole('button', { name: 'Add a user' }).click();
    await page.locator('dialog [name="username"]').fill('teacher');
    await page.getByRole('checkbox', { name: '7b' }).check();
    await expectAccessible(page);
    for (const field of await page.locator('dialog [name="new-password"]').all())
      await field.fill('rain on the roof');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.route('**/api/users', (route) => route.fulfill({ status: 201 }), { times: 1 });
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postDataJSON()).to.include({ name: 'teacher', role: 'viewer' });
    expect((await sent).postDataJSON()).to.deep.include({ groups: ['7b'] });
  });

  it('give a user who is bound to them pages without a refused request, and no pages about everybody', async () => {
    await fixture.service.addAdmin('root', PASSWORD);
    const teacher = { name: 'teacher', role: 'desk', password: 'rain on the roof', groups: ['7b'] };
    expect((await fixture.service.request('POST', '/api/users', teacher)).ok).to.equal(true);
    // The fixture fails at any error in the console.
    const page = await fixture.openAs('teacher', 'rain on the roof');
    await page.getByRole('link', { name: '7b 0' }).waitFor();
    expect(await page.getByRole('button', { name: 'Take back a badge' }).count()).to.equal(0);
    await goTo(page, '/people/enrol');
    await page.getByText('You see only some groups, and this page is about everybody.').waitFor();
    await goTo(page, '/people/import');
    await page.getByText('You see only some groups, and this page is about everybody.').waitFor();
  });
});
