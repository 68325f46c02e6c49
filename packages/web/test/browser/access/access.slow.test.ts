import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  BrowserFixture,
  expectAccessible,
  expectNoSidewaysScroll,
  expectWhole,
  goTo,
  signIn,
  textsOf,
} from '../fixtures/browser.js';

const ADA = '04A2B3C4D5';
const SECRET = 'a sentence of Ada';
const ANOTHER = 'another sentence of hers';

/** Everything that the browser keeps for the page, and its address. */
function keptBy(page: Page): Promise<string> {
  return page.evaluate(
    () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]) + location.href,
  );
}

async function navigationOf(page: Page): Promise<string[]> {
  return (await textsOf(page, 'nav a')).map((text) => text.trim());
}

describe('a service that belongs to nobody', () => {
  const fixture = new BrowserFixture([], { settings: ['--clock', 'trusted', '--host', '0.0.0.0'] });

  it('is claimed with the code that its owner reads, and shows nothing before', async () => {
    const page = await fixture.visit({ page: '/people', isRefused: true });
    await page.getByRole('heading', { name: 'The first administrator' }).waitFor();
    expect(await page.locator('nav').count()).to.equal(0);
    await page.getByRole('textbox', { name: 'Setup code' }).fill('AAAA-AAAA-AAAA');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('The password has at least 8 characters.').waitFor();
    await page.getByLabel('New password', { exact: true }).fill(SECRET);
    await page.getByLabel('Repeat the password', { exact: true }).fill('something else');
    await page.keyboard.press('Enter');
    await page.getByText('The passwords do not match.').waitFor();
    await page.getByLabel('Repeat the password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');
    await page.getByText('This code is wrong').waitFor();
    await expectAccessible(page);
    // The message disappears, because it was about the former code.
    await page.getByRole('textbox', { name: 'Setup code' }).fill(await fixture.service.setupCode());
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('The password has at least 8 characters.').waitFor();
    expect(await page.getByText('This code is wrong').count()).to.equal(0);
    await page.getByLabel('New password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Your account: ada' }).waitFor();
    expect(await keptBy(page)).not.to.include(SECRET);
  });

  it('says so in words on every page if it is open all the same', async () => {
    await fixture.service.restart('--clock', 'trusted', '--host', '0.0.0.0', '--insecure');
    const page = await fixture.open();
    await page.getByText('Nobody has to sign in.').waitFor();
    await expectAccessible(page);
  });

  for (const [language, title, width] of [
    ['en-GB', 'The first administrator', 320],
    ['de-DE', 'Die erste Verwaltung', 1200],
  ] as const)
    it(`is set up on a page that is whole and accessible in ${language}, ${width} pixels wide`, async () => {
      const viewport = { width, height: 800 };
      const page = await fixture.visit({ language, theme: 'dark', viewport, isRefused: true });
      await page.getByRole('heading', { name: title }).waitFor();
      await expectWhole(page);
    });
});

describe('signing in', () => {
  const fixture = new BrowserFixture();

  beforeEach(async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    await fixture.service.addAdmin('ada', SECRET);
  });

  const sessionIds = async (): Promise<string[]> => {
    const response = await fixture.service.request('GET', '/api/credentials?all=1');
    return ((await response.json()) as { id: string }[]).map(({ id }) => id);
  };

  it('is asked for first, says that name or password is wrong, and leads to where one wanted to be', async () => {
    const page = await fixture.visit({ page: '/people', isRefused: true });
    await page.locator('[name="username"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Enter your name.').waitFor();
    await signIn(page, 'ada', 'not this one');
    await page.getByText('Name or password is wrong.').waitFor();
    const wrong = await textsOf(page, '.field-error');
    await signIn(page, 'nobody', 'not this one');
    await page.getByText('Name or password is wrong.').waitFor();
    expect(await textsOf(page, '.field-error')).to.deep.equal(wrong);
    await expectAccessible(page);
    await signIn(page, 'ada', SECRET);
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    expect(page.url()).to.match(/#\/people$/);
    expect(await keptBy(page)).not.to.include(SECRET);
  });

  it('shows the password to somebody who asks for it, and names the fields for password managers', async () => {
    const page = await fixture.visit({ isRefused: true });
    const password = page.getByLabel('Password', { exact: true });
    await password.fill(SECRET);
    expect(await password.getAttribute('type')).to.equal('password');
    expect(await password.getAttribute('autocomplete')).to.equal('current-password');
    expect(await page.getByLabel('Name').getAttribute('autocomplete')).to.equal('username');
    await page.getByRole('button', { name: 'Show the password: Password' }).press('Enter');
    expect(await password.getAttribute('type')).to.equal('text');
  });

  it('says how long to wait after too many tries', async () => {
    const page = await fixture.visit({ allowsErrors: true });
    const told = page.getByText(/^Too many attempts\. Wait \d+ seconds?\.$/);
    const answered = page.getByRole('button', { name: 'Sign in' });
    for (let tries = 0; tries < 30 && (await told.count()) === 0; tries++) {
      const answer = page.waitForResponse(/api\/session$/);
      await signIn(page, 'ada', `wrong ${tries}`);
      await (await answer).finished();
      await page.locator('.button-main:not([disabled])').waitFor();
    }
    await told.waitFor();
    await answered.waitFor();
  });

  it('is asked for again when a session is ended elsewhere; the browser has forgotten who was here', async () => {
    await fixture.service.record(ADA);
    // The test has its own session, which must outlive the other.
    const own = await sessionIds();
    const page = await fixture.openAs('ada', SECRET, { page: '/', isRefused: true });
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const [id, ...more] = (await sessionIds()).filter((each) => !own.includes(each));
    expect(more).to.deep.equal([]);
    expect((await fixture.service.request('DELETE', `/api/credentials?id=${id}`)).status).to.equal(204);
    await page.getByText('You were signed out because your session has ended.').waitFor();
    expect(await page.getByText('Lovelace').count()).to.equal(0);
    expect(await keptBy(page)).not.to.include('Lovelace');
    await signIn(page, 'ada', SECRET);
    await page.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
  });

  it('ends when one signs out', async () => {
    const page = await fixture.openAs('ada', SECRET, { page: '/account', isRefused: true });
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('your session has ended').count()).to.equal(0);
  });

  it('needs the new password after it was changed', async () => {
    const page = await fixture.openAs('ada', SECRET, { page: '/account', isRefused: true });
    await page.getByLabel('Current password', { exact: true }).fill('not this one');
    await page.getByLabel('New password', { exact: true }).fill(ANOTHER);
    await page.getByLabel('Repeat the password', { exact: true }).fill(ANOTHER);
    await page.keyboard.press('Enter');
    await page.getByText('The current password is wrong.').waitFor();
    await page.getByLabel('Current password', { exact: true }).fill('');
    await page.keyboard.press('Enter');
    await page.getByText('Enter your current password.').waitFor();
    expect(await page.getByText('The current password is wrong.').count()).to.equal(0);
    await page.getByLabel('Current password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');
    await page.getByText('Your password was changed.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, 'ada', ANOTHER);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  for (const [language, theme, width, title] of [
    ['en-GB', 'light', 320, 'Sign in'],
    ['de-DE', 'dark', 1200, 'Anmelden'],
    ['en-GB', 'dark', 3840, 'Sign in'],
  ] as const)
    it(`has a page that is whole and accessible in ${language}, ${theme}, ${width} pixels wide`, async () => {
      const viewport = { width, height: 800 };
      const page = await fixture.visit({ language, theme, viewport, isRefused: true });
      await page.getByRole('heading', { name: title }).waitFor();
      await expectWhole(page);
      await signIn(page, 'ada', SECRET);
      await page.waitForSelector('nav');
      for (const path of ['account', 'users', 'tokens']) {
        await goTo(page, `/${path}`);
        await page.locator('tbody th').first().waitFor();
        await expectWhole(page);
      }
    });
});

describe('what a role may not do', () => {
  const fixture = new BrowserFixture();

  beforeEach(async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
    await fixture.service.addAdmin('ada', SECRET);
    for (const role of ['viewer', 'desk', 'kiosk']) await fixture.service.addUser(role, role, SECRET);
  });

  it('is not offered to a viewer, who cannot change a person', async () => {
    const page = await fixture.openAs('viewer', SECRET, { page: '/people' });
    await page.getByRole('link', { name: 'Lovelace, Ada' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add a person' }).count()).to.equal(0);
    expect(await page.getByRole('link', { name: 'Import a list' }).count()).to.equal(0);
    await page.evaluate(() => (location.hash = '/users'));
    await page.getByText('Allowed roles: Administrator.').waitFor();
    await page.getByText('You are signed in as “viewer”, with the role Viewer.').waitFor();
    await expectAccessible(page);
    await page.evaluate(() => (location.hash = '/system'));
    await page.getByRole('heading', { name: 'System' }).waitFor();
    await page.getByText('The clock is right').waitFor();
    expect(await page.getByRole('link', { name: 'Save a backup' }).count()).to.equal(0);
    expect(await page.getByRole('heading', { name: 'Administration' }).count()).to.equal(0);
  });

  for (const [language, title, other, width] of [
    ['en-GB', 'You do not have access to this page', 'Sign in as another user', 320],
    ['de-DE', 'Diese Seite ist nicht für Sie', 'Als jemand anderes anmelden', 1200],
  ] as const)
    it(`leads to another sign-in, after which one is where one wanted to be, in ${language}`, async () => {
      const options = { language, viewport: { width, height: 800 }, page: '/users', isRefused: true };
      const page = await fixture.openAs('desk', SECRET, options);
      await page.getByRole('heading', { name: title }).waitFor();
      await expectNoSidewaysScroll(page);
      await page.getByRole('button', { name: other }).press('Enter');
      await page.locator('[name="username"]').waitFor();
      await signIn(page, 'ada', SECRET);
      await page.getByRole('rowheader', { name: 'desk' }).waitFor();
      expect(page.url()).to.match(/#\/users$/);
    });

  it('is not offered to the front desk, which names tags', async () => {
    const page = await fixture.openAs('desk', SECRET, { page: '/people' });
    await page.getByRole('link', { name: 'Lovelace, Ada' }).press('Enter');
    await page.getByRole('button', { name: 'Change' }).press('Enter');
    await page.getByRole('textbox', { name: 'Last name' }).fill('King');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ada King', level: 1 }).waitFor();
    expect(await navigationOf(page)).to.deep.equal(['Today', 'Muster list', 'People', 'Days', 'System']);
  });

  it('is nothing that a kiosk could reach: it has one page, which hears of taps', async () => {
    const page = await fixture.openAs('kiosk', SECRET, { page: '/people', allowsErrors: true });
    await page.getByText('Hold your tag to the reader').waitFor();
    await page.evaluate(() => (location.hash = '/system'));
    await page.getByText('Hold your tag to the reader').waitFor();
    expect(await page.locator('nav').count()).to.equal(0);
    fixture.service.tap(ADA);
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.getByText('1 person is here').waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByText('1 person is here').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('is told in words when it is refused, as after the role was changed', async () => {
    const page = await fixture.openAs('desk', SECRET, { page: '/people', isRefused: true });
    await page.getByRole('link', { name: 'Lovelace, Ada' }).press('Enter');
    await page.getByRole('button', { name: 'Change' }).press('Enter');
    await page.route(/api\/person$/, (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({
            status: 403,
            contentType: 'application/problem+json',
            body: JSON.stringify({ status: 403, code: 'NOT_ALLOWED', detail: 'not you', roles: ['admin'] }),
          }),
    );
    await page.getByRole('textbox', { name: 'Last name' }).fill('King');
    await page.keyboard.press('Enter');
    await page.getByText('Your role does not allow this. Allowed roles: Administrator.').waitFor();
  });
});

describe('users and tokens', () => {
  const fixture = new BrowserFixture();

  beforeEach(async () => {
    await fixture.service.addAdmin('ada', SECRET);
  });

  it('are added, changed and removed, but for the last administrator', async () => {
    const page = await fixture.openAs('ada', SECRET, { page: '/users', allowsErrors: true });
    // Until the users are there, the button takes neither the focus nor the key.
    await page.getByRole('row', { name: /ada/ }).waitFor();
    await page.getByRole('button', { name: 'Add a user' }).press('Enter');
    await page.getByText('Letters, digits and . _ - @ +, without spaces.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace');
    await page.getByRole('radio', { name: /^Front desk/ }).check();
    await page.getByLabel('New password', { exact: true }).fill('password1');
    await page.getByLabel('Repeat the password', { exact: true }).fill('password1');
    await page.keyboard.press('Enter');
    await page.getByText('Choose another password').waitFor();
    await expectAccessible(page);
    await page.getByLabel('New password', { exact: true }).fill(ANOTHER);
    await page.getByLabel('Repeat the password', { exact: true }).fill(ANOTHER);
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /grace/ });
    await row.getByText('Front desk').waitFor();
    await page.getByRole('button', { name: 'Change: grace' }).press('Enter');
    await page.getByRole('radio', { name: /^Viewer/ }).check();
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await row.getByText('Viewer').waitFor();
    await page.getByRole('button', { name: 'Remove grace?' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove ada?' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await page.getByText('This is the last administrator.').waitFor();
  });

  it('end together with a password that an admin replaces, if the admin wants it', async () => {
    await fixture.service.addAdmin('boss', ANOTHER);
    const made = await fixture.service.request('POST', '/api/tokens', { label: 'the gate', role: 'viewer' });
    const { token } = (await made.json()) as { token: string };
    const page = await fixture.openAs('ada', SECRET, { page: '/users' });
    await page.getByRole('button', { name: 'Change: boss' }).press('Enter');
    await page.getByRole('checkbox', { name: 'Set a new password' }).check();
    await page.getByLabel('New password', { exact: true }).fill(SECRET);
    await page.getByLabel('Repeat the password', { exact: true }).fill(SECRET);
    await page.getByRole('checkbox', { name: 'Revoke their tokens too' }).check();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('boss was saved.').waitFor();
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${fixture.service.url}/api/mapping`, { headers })).status).to.equal(401);
  });

  it('are not changed by who adds somebody with a name that is taken, even a moment ago', async () => {
    const page = await fixture.openAs('ada', SECRET, { page: '/users', isRefused: true });
    await page.getByRole('row', { name: /ada/ }).waitFor();
    await page.getByRole('button', { name: 'Add a user' }).press('Enter');
    await fixture.service.addUser('zoë', 'desk', ANOTHER);
    await page.getByLabel('New password', { exact: true }).fill(SECRET);
    await page.getByLabel('Repeat the password', { exact: true }).fill(SECRET);
    for (const name of ['ZOE\u0308', ' zoë ', 'Ada']) {
      const field = page.getByRole('textbox', { name: 'Name' });
      await field.fill(name);
      await field.press('Enter');
      await page.getByText('Somebody has this name already.').waitFor();
      await expectAccessible(page);
      await field.fill('');
      await field.press('Enter');
      await page.getByText('A name has 1 to 64 letters').waitFor();
    }
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.reload();
    await page.getByRole('row', { name: /zoë/ }).getByText('Front desk').waitFor();
    await fixture.service.enter('zoë', ANOTHER);
  });

  it('let a program in until they are ended; a token is shown once', async () => {
    const page = await fixture.openAs('ada', SECRET, { page: '/tokens' });
    await page.getByRole('button', { name: 'Create a token' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Purpose' }).fill('the gate');
    await dialog.getByRole('radio', { name: /^Viewer/ }).check();
    await dialog.getByRole('button', { name: 'Create a token' }).press('Enter');
    const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
    expect(token).to.match(/^tb_/);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Copy' }).press('Enter');
    await dialog.getByText(/^Copied\.|press Ctrl\+C/).waitFor();
    const ask = async (): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${fixture.service.url}/api/mapping`, { headers })).status;
    };
    expect(await ask()).to.equal(200);
    await dialog.getByRole('button', { name: 'I have copied it' }).press('Enter');
    await page.getByRole('button', { name: 'Revoke: the gate' }).waitFor();
    expect(await keptBy(page)).not.to.include(token);
    expect(await page.content()).not.to.include(token);
    await page.getByRole('button', { name: 'Revoke: the gate' }).press('Enter');
    await page.getByText('“the gate” was revoked.').waitFor();
    expect(await ask()).to.equal(401);
  });
});
