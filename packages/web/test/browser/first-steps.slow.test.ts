import { setTimeout as pause } from 'node:timers/promises';
import type { FoundReader, Settings } from '@tallybook/client';
import { expect } from 'chai';
import { PluggableLine } from '../../../readers/test/serial/pluggable-line.js';
import { answer } from './fixtures/answers.js';
import { BrowserFixture, expectAccessible } from './fixtures/browser.js';

const SECRET = 'a sentence of Ada';
const TRIED = '04DEADBEEF';
const ADA = '04A2B3C4D5';
const PLACE = 'Fire station Northwood';

/** Pause between two looks, in milliseconds. */
const LOOK_MS = 100;

describe('a new service', () => {
  const fixture = new BrowserFixture([], { isInstalled: true, settings: ['--clock', 'trusted'] });
  let line: PluggableLine;

  beforeEach(async () => {
    line = await PluggableLine.create();
  });
  afterEach(() => line.dispose());

  const tap = (id: string): Promise<void> => line.send(Buffer.from(`${id}\r\n`));

  /** The line of the test is not among the devices of this machine. */
  function found(): FoundReader {
    const { path } = line;
    const url = `serial:${path}?protocol=lines`;
    const known = {
      title: 'Serial lines',
      label: null,
      isUsable: true,
      why: null,
      holder: null,
      isInUse: false,
    };
    return { ...known, url, path };
  }

  it('leads from the setup code by the first steps and a restart to the first tap', async function () {
    this.timeout(120_000);
    const { service } = fixture;
    // The stream ends with the service.
    const page = await fixture.visit({ allowsErrors: true });
    await answer(page, '/api/settings/readers', () => [found()]);
    await page.getByRole('textbox', { name: 'Setup code' }).fill(await service.setupCode());
    await page.getByText('Letters, digits and . _ - @ +, without spaces.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await page.getByLabel('New password', { exact: true }).fill(SECRET);
    await page.getByLabel('Repeat the password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
    await page.getByText('Up to 80 characters').waitFor();
    await page.getByRole('textbox', { name: 'Name of the place' }).fill(PLACE);
    await page.getByLabel('A day begins at').fill('04:00');
    await page.getByRole('button', { name: `Tap a tag to test: ${line.path}` }).press('Enter');
    const works = page.getByText('It works. The tag is recorded as 04 DE AD BE EF.');
    // The line is opened a little later than the page says, and forgets what came before.
    while ((await works.count()) === 0) {
      await tap(TRIED);
      await pause(LOOK_MS);
    }
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save and start' }).press('Enter');
    await page.getByRole('heading', { name: 'The service is starting again' }).waitFor();

    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    await page.getByRole('link', { name: PLACE }).waitFor();
    expect(await page.title()).to.equal(`Today · ${PLACE}`);
    await service.enter('ada', SECRET);
    const stored = (await (await service.request('GET', '/api/settings')).json()) as Settings;
    expect(stored).to.include({ isAsked: true, needsRestart: false });
    expect(Object.fromEntries(stored.settings.map(({ name, inUse }) => [name, inUse]))).to.deep.include({
      name: PLACE,
      zone: 'Europe/Berlin',
      dayStart: '04:00',
      readers: [`${found().url}&name=Entrance`],
    });
    const isConnected = async (): Promise<boolean> =>
      (await (await service.request('GET', '/api/readers')).text()).includes('"connected"');
    while (!(await isConnected())) await pause(LOOK_MS);
    await page.waitForSelector('[data-state="open"]', { state: 'attached' });
    await tap(ADA);
    await page.getByText('04 A2 B3 C4 D5').first().waitFor();
    expect(await page.locator('.last-tap').innerText()).to.match(/ · Entrance$/);
  });

  it('does not ask an administrator who has put it off, in this browser', async () => {
    const { service } = fixture;
    const page = await fixture.visit({ allowsErrors: true });
    await page.getByRole('textbox', { name: 'Setup code' }).fill(await service.setupCode());
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await page.getByLabel('New password', { exact: true }).fill(SECRET);
    await page.getByLabel('Repeat the password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Ask me later' }).press('Enter');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page.reload();
    await page.waitForSelector('[data-state="open"]', { state: 'attached' });
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    const settings = page.waitForResponse(/api\/settings$/);
    await page.getByRole('link', { name: 'System' }).press('Enter');
    await (await settings).finished();
    await page.getByText('The first steps are still open.').waitFor();
  });
});
