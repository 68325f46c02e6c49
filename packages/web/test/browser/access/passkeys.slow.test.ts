import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  BrowserFixture,
  expectAccessible,
  expectNoSidewaysScroll,
  expectWhole,
  signIn,
  type PageOptions,
} from '../fixtures/browser.js';
import { PasskeyDevice } from '../fixtures/passkey-device.js';

const SECRET = 'a sentence of Ada';

describe('passkeys', () => {
  const fixture = new BrowserFixture();

  beforeEach(async () => {
    await fixture.service.addAdmin('ada', SECRET);
  });

  /** The page under a host name, which the browser needs for passkeys. */
  function named(): string {
    return `http://localhost:${new URL(fixture.service.url).port}/`;
  }

  async function account(options: PageOptions = {}): Promise<Page> {
    const page = await fixture.openAs('ada', SECRET, { page: '/account', base: named(), ...options });
    await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
    return page;
  }

  /** Adds a passkey by the keyboard alone. */
  async function add(page: Page, label: string): Promise<void> {
    await page.getByRole('button', { name: 'Add a passkey' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name of the passkey' }).fill(label);
    await dialog.getByLabel('Your password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }

  it('are added, sign one in without a name, also after a restart, and are removed', async () => {
    // The page may send requests while the service is away.
    const page = await account({ isRefused: true, allowsErrors: true });
    const device = await PasskeyDevice.of(page);
    await page.getByText('You have none yet.').waitFor();
    await add(page, 'my phone');
    const row = page.getByRole('row', { name: /my phone/ });
    await row.waitFor();
    expect(await row.textContent())
      .to.include('localhost')
      .and.include('Never');
    await expectAccessible(page);
    expect(await device.keys()).to.equal(1);
    await signOut(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
    await page.getByRole('link', { name: 'Your account: ada' }).waitFor();
    await signOut(page);
    await fixture.service.kill();
    await fixture.service.resume();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
    await page.getByRole('link', { name: 'Your account: ada' }).waitFor();
    await row.waitFor();
    await page.getByRole('button', { name: 'Remove the passkey “my phone”' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await row.waitFor({ state: 'detached' });
    await signOut(page);
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).to.equal(0);
  });

  it('of which none is left are refused in words', async () => {
    const page = await account({ allowsErrors: true });
    await PasskeyDevice.of(page);
    await add(page, 'my phone');
    await page.getByRole('row', { name: /my phone/ }).waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    const [passkey] = (await (await fixture.service.request('GET', '/api/passkeys?all=1')).json()) as {
      id: string;
    }[];
    // A challenge from before, as a page has it that stayed open.
    const challenge = await page.evaluate(async () => {
      const answer = await fetch('api/session/passkey/challenge', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      });
      return answer.text();
    });
    await page.route(/passkey\/challenge$/, (route) =>
      route.fulfill({ contentType: 'application/json', body: challenge }),
    );
    await fixture.service.request('DELETE', `/api/passkeys?id=${passkey?.id ?? ''}`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
    await page.getByText('Passkeys are not available now.').waitFor();
    await signIn(page, 'ada', SECRET);
    await page.getByRole('link', { name: 'Your account: ada' }).waitFor();
  });

  it('need the password, and a device that knows who holds it', async () => {
    const page = await account({ isRefused: true });
    const device = await PasskeyDevice.of(page);
    await page.getByRole('button', { name: 'Add a passkey' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name of the passkey' }).fill('my phone');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter your current password.').waitFor();
    await dialog.getByLabel('Your password', { exact: true }).fill('not this one');
    await page.keyboard.press('Enter');
    await dialog.getByText('The current password is wrong.').waitFor();
    await expectAccessible(page);
    await device.verifies(false);
    await dialog.getByLabel('Your password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');
    await dialog.getByText('It was cancelled, or took too long.').waitFor();
    expect(await device.keys()).to.equal(0);
    await device.verifies(true);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /my phone/ }).waitFor();
    await add(page, 'the same again');
    await dialog.getByText('This device already has a passkey of yours.').waitFor();
  });

  it('are said to need https where the page came by an address, and are not offered there', async () => {
    const page = await account({ base: `${fixture.service.url}/` });
    await page.getByText('Browsers offer passkeys only over https.').waitFor();
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).to.equal(0);
    await expectAccessible(page);
  });

  it('of everybody are seen and removed by somebody who manages access', async () => {
    const page = await account();
    await PasskeyDevice.of(page);
    await add(page, 'my phone');
    await page.getByRole('row', { name: /my phone/ }).waitFor();
    await page.evaluate(() => (location.hash = '/tokens'));
    const row = page.getByRole('row', { name: /my phone/ });
    await row.getByText('ada').waitFor();
    await page.getByRole('button', { name: 'Remove the passkey “my phone”' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await page.getByText('Nobody has one yet.').waitFor();
  });

  it('are in German, on a small screen', async () => {
    const page = await fixture.openAs('ada', SECRET, {
      ...{ page: '/account', base: named(), language: 'de-DE', theme: 'dark' },
      viewport: { width: 320, height: 800 },
    });
    await PasskeyDevice.of(page);
    await page.getByRole('button', { name: 'Passkey hinzufügen' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Wie er heißt' }).fill('Telefon');
    await dialog.getByLabel('Ihr Passwort', { exact: true }).fill(SECRET);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Telefon' }).waitFor();
    await expectWhole(page);
    await page.getByRole('button', { name: 'Abmelden' }).press('Enter');
    await page.getByRole('button', { name: 'Mit Passkey anmelden' }).waitFor();
    await expectNoSidewaysScroll(page);
  });
});
