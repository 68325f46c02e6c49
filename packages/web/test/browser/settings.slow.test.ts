import type { BackupPlace, FoundReader, ReaderTrial, Settings } from '@tallybook/client';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { settingsOf } from '../fixtures/settings.js';
import { answer, Refusal } from './fixtures/answers.js';
import { BrowserFixture, expectAccessible, expectWhole, LOOKS } from './fixtures/browser.js';

const serial: FoundReader = {
  title: 'Serial lines',
  url: 'serial:/dev/serial/by-id/usb-FTDI_FT232R-port0',
  path: '/dev/serial/by-id/usb-FTDI_FT232R-port0',
  label: null,
  isUsable: true,
  why: null,
  holder: null,
  isInUse: false,
};
const keyboard: FoundReader = {
  ...serial,
  title: 'Keyboards, and readers that type',
  url: 'hid:/dev/input/by-id/usb-Sycreader_RFID-event-kbd',
  path: '/dev/input/by-id/usb-Sycreader_RFID-event-kbd',
};
const refused: FoundReader = {
  ...serial,
  title: 'GPIO chips',
  url: 'wiegand:pinctrl-rp1?d0=17&d1=18',
  path: '/dev/gpiochip0',
  label: 'pinctrl-rp1',
  isUsable: false,
  why: 'only the group gpio may use it, and tallybook is not in it',
};
const stick = { path: '/media/stick', freeBytes: 12_400_000_000, isRemovable: true };

const read: ReaderTrial = { raw: '04a2b3c4d5', id: '04A2B3C4D5', faults: [] };

/** A service that stores settings, in place of the one that is running. */
class FakeSettings {
  settings = settingsOf({ canRestart: false });
  /** A store such as PostgreSQL has no settings. */
  isOffered = true;
  places: readonly BackupPlace[] = [stick];
  readers: readonly FoundReader[] = [keyboard, refused, serial];
  /** Bodies of the requests to store. */
  readonly stored: unknown[] = [];
  refusal: Refusal | undefined;
  /** Settings after the next request to store. */
  next: Settings | undefined;
  trial: ReaderTrial | Refusal = read;
  tried: unknown;

  async serve(page: Page): Promise<void> {
    await answer(page, '/api/settings', ({ method, body }) => {
      if (method === 'GET') return this.isOffered ? this.settings : new Refusal(404, 'NOT_FOUND');
      this.stored.push(body);
      if (this.refusal !== undefined) return this.refusal;
      return (this.settings = this.next ?? { ...this.settings, isAsked: true });
    });
    await answer(page, '/api/settings/readers', () => this.readers);
    await answer(page, '/api/settings/backup-places', () => this.places);
    await answer(page, '/api/settings/reader-trial', ({ body }) => {
      this.tried = body;
      return this.trial;
    });
  }
}

describe('the first steps', () => {
  const fixture = new BrowserFixture();
  let service: FakeSettings;

  const open = (path = '/first-steps', options = {}): Promise<Page> =>
    fixture.visit({ ...options, page: path, prepare: (page) => service.serve(page), allowsErrors: true });

  beforeEach(() => {
    service = new FakeSettings();
  });

  it('propose the zone of the browser, say what the start of a day means, and save all at once', async () => {
    const page = await open();
    const zone = page.getByLabel('Time zone');
    await zone.waitFor();
    expect(await zone.inputValue()).to.equal('Europe/Berlin');
    expect(await zone.locator('option').allInnerTexts()).to.include.members([
      'Europe/Berlin (this browser)',
      'Etc/UTC (the system of the device)',
    ]);
    await page.getByText('With 04:00, a tap at 02:00 belongs to the evening before.').waitFor();
    await page.getByLabel('A day begins at').fill('05:30');
    await page.getByText('A tap before 05:30 belongs to the day before.').waitFor();
    await page.getByRole('textbox', { name: 'Name of the place' }).fill('Fire station Northwood');
    await page.getByRole('checkbox', { name: /Keyboard, or a reader that types/ }).check();
    await page.getByRole('radio', { name: /^\/media\/stick\/tallybook.*12.4 GB free$/ }).check();
    await page.getByRole('combobox', { name: 'Days', exact: true }).selectOption('24 months');
    await page.getByText(/^Days before .* are removed, once a day: only 24 months are kept/).waitFor();
    await page.getByRole('button', { name: 'Save and start' }).press('Enter');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(service.stored).to.deep.equal([
      {
        name: 'Fire station Northwood',
        zone: 'Europe/Berlin',
        dayStart: '05:30',
        keep: '24months',
        readers: [`${keyboard.url}?name=Entrance`],
        backup: '/media/stick/tallybook',
      },
    ]);
  });

  it('lead to the first people, if somebody wants that', async () => {
    const page = await open();
    await page.getByRole('radio', { name: /^Import a list/ }).check();
    await page.getByRole('button', { name: 'Save and start' }).press('Enter');
    await page.getByRole('heading', { name: 'Import a list' }).waitFor();
  });

  it('propose a name for each chosen reader, take another one, and say when two have the same', async () => {
    const page = await open();
    await page.getByRole('checkbox', { name: /serial line/ }).check();
    await page.getByRole('checkbox', { name: /Keyboard, or a reader that types/ }).check();
    const names = page.getByRole('textbox', { name: 'Name of this reader' });
    const proposed = await names.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
    expect(proposed).to.deep.equal(['Entrance 2', 'Entrance']);
    await names.first().fill('Entrance');
    expect(await page.getByText('Another reader has this name.').count()).to.equal(2);
    await expectAccessible(page);
    await names.first().fill('Gym & “Pool” 50 %');
    await page.getByText('Another reader has this name.').first().waitFor({ state: 'detached' });
    await names.last().fill('');
    await page.getByRole('button', { name: 'Save and start' }).press('Enter');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    const name = encodeURIComponent('Gym & “Pool” 50 %');
    expect(service.stored).to.deep.equal([
      { zone: 'Europe/Berlin', readers: [serial.url, `${keyboard.url}?name=${name}`] },
    ]);
  });

  it('test a reader by the keyboard, announce what it read, and choose it', async () => {
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const page = await open();
    await page.route(/reader-trial$/, async (route) => {
      await held;
      await route.fallback();
    });
    const test = page.getByRole('button', { name: `Tap a tag to test: ${serial.path}` });
    await test.press('Enter');
    const live = page.locator('.reader-test [role=status]');
    await live.getByText('Hold a tag to this reader now.').waitFor();
    // The countdown is not announced each second.
    await page.locator('.reader-test :not([role=status]) > .quiet', { hasText: / s$/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Stop');
    const other = page.getByRole('button', { name: `Tap a tag to test: ${keyboard.path}` });
    expect(await other.isDisabled()).to.equal(true);
    await expectAccessible(page);
    finish();
    await live
      .getByText('The reader sent 04a2b3c4d5. It works. The tag is recorded as 04 A2 B3 C4 D5.')
      .waitFor();
    expect(service.tried).to.deep.equal({ reader: serial.url });
    expect(await page.getByRole('checkbox', { name: /serial line/ }).isChecked()).to.equal(true);
    await expectAccessible(page);
  });

  it('end the test of a reader when somebody stops it', async () => {
    const page = await open();
    let isEnded: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (isEnded = resolve));
    page.on('requestfailed', (request) => request.url().endsWith('reader-trial') && isEnded());
    // Nobody answers.
    await page.route(/reader-trial$/, () => undefined);
    await page.getByRole('button', { name: `Tap a tag to test: ${serial.path}` }).press('Enter');
    await page.getByRole('button', { name: 'Stop' }).press('Enter');
    await ended;
    await page.getByRole('button', { name: `Tap a tag to test: ${serial.path}` }).waitFor();
    expect(await page.locator('.reader-test').getByText('No tag was read').count()).to.equal(0);
  });

  for (const [what, trial, words] of [
    ['nothing', { raw: null, id: null, faults: [] }, 'No tag was read. Is the reader plugged in'],
    [
      'a fault',
      { raw: 'hello', id: null, faults: [{ code: 'INVALID_TALLY_ID', message: 'not a tally id' }] },
      'The reader sent something that is not the number of a tag.',
    ],
    ['another test', new Refusal(409, 'READER_BUSY'), 'Another test is running.'],
  ] as const)
    it(`say so when the test of a reader finds ${what}`, async () => {
      service.trial = trial;
      const page = await open();
      await page.getByRole('button', { name: `Tap a tag to test: ${serial.path}` }).press('Enter');
      await page.getByText(words).waitFor();
      expect(await page.getByRole('checkbox', { name: /serial line/ }).isChecked()).to.equal(false);
    });

  it('say that a tag came only once where it must come twice, and accept that from a reader that never does', async () => {
    service.trial = { ...read, id: null };
    const page = await open();
    await page.getByRole('button', { name: `Tap a tag to test: ${serial.path}` }).press('Enter');
    await page.getByText('The reader sent 04a2b3c4d5 only once.').waitFor();
    expect(await page.getByText('No tag was read').count()).to.equal(0);
    await expectAccessible(page);
    service.trial = read;
    await page.getByRole('button', { name: 'It always sends a tag once' }).press('Enter');
    await page.getByText('It works.').waitFor();
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(focused).to.equal(`Tap a tag to test: ${serial.path}`);
    const url = `${serial.url}?name=Entrance&confirm=1`;
    expect(service.tried).to.deep.equal({ reader: url });
    await page.getByRole('button', { name: 'Save and start' }).press('Enter');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(service.stored).to.deep.equal([{ zone: 'Europe/Berlin', readers: [url] }]);
  });

  it('warn that the test of a reader in use takes a tap, and try it as it is set', async () => {
    service.trial = { ...read, id: null };
    service.readers = [{ ...serial, isInUse: true }];
    const page = await open();
    await page.getByText('In use: a test takes the next tap, and does not record it.').waitFor();
    await page.getByRole('button', { name: `Tap a tag to test: ${serial.path}` }).press('Enter');
    await page.getByText('The reader sent 04a2b3c4d5 only once.').waitFor();
    expect(await page.getByRole('button', { name: 'It always sends a tag once' }).count()).to.equal(0);
  });

  it('say why a reader cannot be used, and look again', async () => {
    service.readers = [refused];
    const page = await open();
    await page.getByText('No reader was found.').waitFor();
    await page.getByText(refused.why ?? '').waitFor();
    service.readers = [serial];
    await page.getByRole('button', { name: 'Look again' }).press('Enter');
    await page.getByRole('checkbox', { name: /serial line/ }).waitFor();
  });

  for (const [what, places, example] of [
    ['the stick that is there', [stick], '/media/stick/tallybook'],
    ['a folder of the device where there is no stick', [], '/mnt/backup'],
  ] as const)
    it(`give ${what} as an example of a folder for backups, in a field below its choice`, async () => {
      service.places = places;
      const page = await open();
      await page.getByRole('radio', { name: /^(?:A|Another) folder/ }).check();
      await page.getByText(`Such as ${example}.`).waitFor();
      await page.keyboard.press('Tab');
      await page.getByLabel('Folder on the device').and(page.locator(':focus')).waitFor();
      const fields = await page
        .getByRole('group', { name: 'Backup' })
        .locator('input')
        .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).type));
      expect(fields.slice(-3)).to.deep.equal(['radio', 'text', 'radio']);
      await expectAccessible(page);
    });

  it('lead to the field that the service refuses', async () => {
    service.refusal = new Refusal(400, 'INVALID_SETTING', 'backup: it cannot be written');
    const page = await open();
    await page.getByRole('radio', { name: 'Another folder' }).check();
    await page.getByLabel('Folder on the device').fill('/root/backup');
    await page.getByRole('button', { name: 'Save and start' }).press('Enter');
    await page.getByText('The service cannot write there.').waitFor();
    await page.getByLabel('Folder on the device').and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    service.refusal = new Refusal(400, 'INVALID_SETTING', 'dayStart: a time of day');
    await page.getByRole('button', { name: 'Save and start' }).press('Enter');
    await page.getByLabel('A day begins at').and(page.locator(':focus')).waitFor();
  });

  it('show what the file of the device gives, and do not offer to change it', async () => {
    service.settings = settingsOf({ given: { zone: 'Asia/Tokyo', readers: [serial.url] } });
    const page = await open();
    await page.getByText('Asia/Tokyo').waitFor();
    expect(await page.getByText('Set in the file of this device').count()).to.equal(2);
    expect(await page.getByLabel('Time zone').count()).to.equal(0);
    await page.getByRole('button', { name: 'Save and start' }).press('Enter');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(service.stored).to.deep.equal([{}]);
  });

  it('are nowhere if the service stores no settings: then the page says where these are', async () => {
    service.isOffered = false;
    const page = await open('/system');
    const card = page.getByRole('region', { name: 'Settings' });
    await card.getByText('They are in the file of this device').waitFor();
    expect(await card.getByRole('link').count()).to.equal(0);
    await page.evaluate(() => (location.hash = '/first-steps'));
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByText('They are in the file of this device').waitFor();
    expect(await page.getByRole('button', { name: 'Save and start' }).count()).to.equal(0);
  });

  it('are put off, and stay on the page of the system until nobody wants them', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Ask me later' }).press('Enter');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(service.stored).to.deep.equal([]);
    await page.evaluate(() => (location.hash = '/system'));
    const card = page.getByRole('region', { name: 'Settings' });
    await card.getByText('The first steps are still open.').waitFor();
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Do not ask again' }).press('Enter');
    await card.getByText('The first steps are still open.').waitFor({ state: 'detached' });
    expect(service.stored).to.deep.equal([{}]);
  });

  for (const { language, screens } of LOOKS)
    it(`are whole and accessible in ${language}`, async () => {
      const page = await open('/first-steps', { language });
      await page.locator('.found-readers').first().waitFor();
      await page.locator('summary').click();
      await expectWhole(page, screens);
    });
});

describe('the settings', () => {
  const fixture = new BrowserFixture();
  const stored = {
    name: 'Northwood',
    zone: 'Europe/Berlin',
    dayStart: '04:00',
    keep: '24months',
    readers: [`${serial.url}?name=Back%20door`],
    backup: '/media/stick/tallybook',
  };
  let service: FakeSettings;

  beforeEach(() => {
    service = new FakeSettings();
    const { settings, ...more } = settingsOf({ stored, isAsked: true, canRestart: false });
    service.settings = {
      ...more,
      settings: settings.map((each) => ({ ...each, inUse: each.stored ?? each.inUse })),
    };
  });

  async function open(language = 'en-GB'): Promise<Page> {
    const prepare = (page: Page): Promise<void> => service.serve(page);
    const page = await fixture.visit({ language, page: '/settings', prepare });
    await page.locator('.found-readers').first().waitFor();
    return page;
  }

  it('are saved only if something was changed, and then that alone', async () => {
    const page = await open();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    expect(await save.isDisabled()).to.equal(true);
    await page.getByRole('textbox', { name: 'Name of the place' }).fill('Southwood');
    await save.press('Enter');
    await page.getByRole('heading', { name: 'System' }).waitFor();
    await page.getByText('The settings were saved.').waitFor();
    expect(service.stored).to.deep.equal([{ name: 'Southwood' }]);
  });

  it('find a reader by its device, whatever its name, and save a new name', async () => {
    const page = await open();
    expect(await page.getByText('not found now').count()).to.equal(0);
    const box = page.getByRole('checkbox', { name: /serial line/ });
    expect(await box.isChecked()).to.equal(true);
    const name = page.getByRole('textbox', { name: 'Name of this reader' });
    expect(await name.inputValue()).to.equal('Back door');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await box.uncheck();
    await box.check();
    expect([await name.inputValue(), await save.isDisabled()]).to.deep.equal(['Back door', true]);
    await name.fill('Front door');
    expect(await page.getByText('is not read any more').count()).to.equal(0);
    await save.press('Enter');
    await page.getByRole('region', { name: 'Settings' }).getByText('Back door', { exact: true }).waitFor();
    expect(service.stored).to.deep.equal([{ readers: [`${serial.url}?name=Front%20door`] }]);
  });

  it('do not look for a reader that is no device of this machine, and name it too', async () => {
    const url = 'mqtt://broker.local/tags';
    const gone = 'serial:/dev/ttyUSB7';
    service.settings = settingsOf({ stored: { ...stored, readers: [url, gone] }, isAsked: true });
    const page = await open();
    await page.getByText(url).waitFor();
    expect(await page.getByText('not found now').count()).to.equal(1);
    const item = page.getByRole('listitem').filter({ hasText: url });
    await item.getByRole('textbox', { name: 'Name of this reader' }).fill('Doors');
    await page.getByRole('checkbox', { name: gone }).uncheck();
    await page.getByRole('button', { name: 'Save and restart' }).press('Enter');
    await page.getByRole('heading', { name: 'System' }).waitFor();
    expect(service.stored).to.deep.equal([{ readers: [`${url}?name=Doors`] }]);
  });

  it('say what a change does before it is saved', async () => {
    const page = await open();
    await page.getByRole('radio', { name: /^\/media\/stick/, checked: true }).waitFor();
    expect(await page.locator('.notice').count()).to.equal(0);
    await page.getByLabel('A day begins at').fill('05:00');
    await page
      .getByText('From the next start on, days begin at 05:00 in Europe/Berlin.', { exact: false })
      .waitFor();
    await page.getByRole('checkbox', { name: /serial line/ }).uncheck();
    await page.getByText('Back door is not read any more after the restart.').waitFor();
    await page.getByRole('radio', { name: /^None/ }).check();
    await page.getByText('Backups that were already written stay where they are.').waitFor();
    const days = page.getByRole('combobox', { name: 'Days', exact: true });
    await days.selectOption('10 years');
    expect(await page.getByText(/^Days before/).count()).to.equal(0);
    await days.selectOption('12 months');
    await page.getByText(/^Days before .* are removed, once a day: only 12 months are kept/).waitFor();
    await page.getByLabel('Guests, after their last day').selectOption('7 days');
    await page.getByText(/^Guests whose last day was before .* are erased with their taps/).waitFor();
    await expectAccessible(page);
  });

  it('that are saved and not in use yet wait for a start that somebody makes by hand', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Name of the place' }).fill('Southwood');
    service.next = { ...service.settings, needsRestart: true };
    const settings = service.next.settings.map((each) =>
      each.name === 'name' ? { ...each, stored: 'Southwood' } : each,
    );
    service.next = { ...service.next, settings };
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Saved' }).waitFor();
    await page.getByText('Stop the service on its device and start it again.').waitFor();
    await page.getByText('They take effect at the next start: Name of the place.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue without a restart' }).press('Enter');
    await page.getByText('Saved, and waiting for the next start: Name of the place.').waitFor();
  });

  for (const { language, screens } of LOOKS)
    it(`are whole and accessible in ${language}`, async () => {
      const page = await open(language);
      await expectWhole(page, screens);
    });
});
