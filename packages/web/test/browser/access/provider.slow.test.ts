import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { RunningProvider } from '../../../../identity-oidc/test/fixtures/running-provider.js';
import { BrowserFixture, expectAccessible } from '../fixtures/browser.js';

const SECRET = 'a sentence of Ada';
const people = [
  { subject: 's-bob', claims: { preferred_username: 'Bob', groups: ['staff'] } },
  { subject: 's-eve', claims: { preferred_username: 'ada', groups: [] } },
];

/** Signs in at the provider, with its built-in pages for development. */
async function signInThere(page: Page, subject: string): Promise<void> {
  await page.locator('input[name=login]').fill(subject);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe('signing in with an account elsewhere', () => {
  const fixture = new BrowserFixture();
  let provider: RunningProvider;

  beforeEach(async () => {
    const { service } = fixture;
    const redirectUrl = `${service.url}/`;
    provider = await RunningProvider.start({ people, redirectUrl });
    await service.addUser('ada', 'admin', SECRET);
    await service.restart(
      ...['--clock', 'trusted', '--public-url', redirectUrl, '--oidc-label', 'School'],
      ...['--oidc-issuer', provider.issuer, '--oidc-client-id', provider.clientId],
      ...['--oidc-groups-claim', 'groups', '--oidc-group-role', 'staff=viewer'],
    );
  });

  afterEach(() => provider[Symbol.asyncDispose]());

  it('leads to the provider and back to where one was, and leaves nothing of it in the address', async () => {
    const page = await fixture.visit({ page: '/people', allowsErrors: true });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in with School' }).click();
    await signInThere(page, 's-bob');
    await page.getByRole('link', { name: 'Your account: bob' }).waitFor();
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    expect(page.url()).to.equal(`${fixture.service.url}/#/people`);
    const cookies = await page.context().cookies(fixture.service.url);
    const own = cookies.filter(({ name }) => name.startsWith('tallybook'));
    expect(own.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).to.deep.equal([
      ['tallybook', true, 'Strict'],
    ]);
    await page.reload();
    await page.getByRole('link', { name: 'Your account: bob' }).waitFor();
    await page.getByRole('link', { name: 'Your account: bob' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in with School' }).waitFor();
  });

  it('is undone here alone, or there too: then the next one has to say who they are', async () => {
    const page = await fixture.visit({ page: '/account', allowsErrors: true });
    await page.getByRole('button', { name: 'Sign in with School' }).click();
    await signInThere(page, 's-bob');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    // The browser is still signed in there.
    await page.getByRole('button', { name: 'Sign in with School' }).click();
    await page.getByRole('button', { name: 'Sign out here and at School' }).waitFor();
    await expectAccessible(page);
    const kept = (await page.context().cookies()).find(({ name }) => name === 'tallybook-sign-out');
    expect(kept).to.include({ path: '/api/session/provider', httpOnly: true, sameSite: 'Strict' });
    const leaving = page.waitForRequest((request) => request.url().includes('/session/end?'));
    await page.getByRole('button', { name: 'Sign out here and at School' }).click();
    const { searchParams } = new URL((await leaving).url());
    expect(searchParams.get('id_token_hint')).to.match(/^ey/);
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByRole('button', { name: 'Sign in with School' }).click();
    await page.locator('input[name=login]').waitFor();
  });

  it('tells somebody who is no user how they are known, and never makes them the user of their name', async () => {
    const page = await fixture.visit({ allowsErrors: true, language: 'de-DE' });
    await page.getByRole('button', { name: 'Mit School anmelden' }).click();
    await signInThere(page, 's-eve');
    await page.getByText('Dort sind Sie bekannt als: s-eve').waitFor();
    await expectAccessible(page);
    expect(page.url()).not.to.include('code=');
  });

  it('says that the provider is away, and lets one sign in with a password all the same', async () => {
    const page = await fixture.visit({ allowsErrors: true });
    await page.getByRole('button', { name: 'Sign in with School' }).waitFor();
    await provider[Symbol.asyncDispose]();
    await page.getByRole('button', { name: 'Sign in with School' }).press('Enter');
    await page.getByText('School cannot be reached.').waitFor();
    provider = await RunningProvider.start({ people, redirectUrl: `${fixture.service.url}/` });
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Your account: ada' }).waitFor();
  });

  it('is what an admin lets a user do, who is then bound to the account', async () => {
    const page = await fixture.visit({ page: '/users', allowsErrors: true });
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add a user' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Eve');
    await page.getByRole('checkbox', { name: /password/i }).uncheck();
    await page.getByRole('checkbox', { name: 'Signs in with School' }).check();
    await page.getByLabel('Known there as').fill('s-eve');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /eve.*with an account elsewhere/ }).waitFor();
    const other = await fixture.visit({ allowsErrors: true });
    await other.getByRole('button', { name: 'Sign in with School' }).click();
    await signInThere(other, 's-eve');
    await other.getByRole('link', { name: 'Your account: eve' }).waitFor();
  });
});
