import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { BrowserFixture, expectAccessible, expectWhole } from './fixtures/browser.js';

const ADA = '04A2B3C4D5';
const SERIAL = '04:a2:b3:c4:d5';
const PHONE = { width: 360, height: 740 };

/** Gives the browser Web NFC, like Chrome on Android. In the page, `tap` presents a tag. */
function addNfc(): void {
  const readers: EventTarget[] = [];
  const page = window as unknown as Record<string, unknown>;
  page['NDEFReader'] = class extends EventTarget {
    scan({ signal }: { signal: AbortSignal }): Promise<void> {
      const refusal = page['refusal'] as string | undefined;
      if (refusal !== undefined) return Promise.reject(new DOMException('no', refusal));
      readers.push(this);
      signal.addEventListener('abort', () => readers.splice(readers.indexOf(this), 1));
      return Promise.resolve();
    }
  };
  page['tap'] = (serialNumber: string | undefined): void => {
    for (const reader of readers) {
      const event =
        serialNumber === undefined
          ? new Event('readingerror')
          : Object.assign(new Event('reading'), { serialNumber });
      reader.dispatchEvent(event);
    }
  };
  page['readerCount'] = () => readers.length;
}

function tap(page: Page, serial: string | undefined): Promise<void> {
  return page.evaluate((each) => (window as unknown as { tap: (serial?: string) => void }).tap(each), serial);
}

describe('a phone as a reader', () => {
  const fixture = new BrowserFixture([], { settings: ['--clock', 'trusted', '--reader', 'http:gate'] });

  async function phone(language = 'en-GB'): Promise<BrowserContext> {
    const context = await fixture.newContext({ viewport: PHONE, language });
    await context.addInitScript(addNfc);
    return context;
  }

  /** Opens the page and starts the reading. */
  async function reading(allowsErrors = false): Promise<Page> {
    const page = await fixture.open({ context: await phone(), page: '/phone-reader/gate', allowsErrors });
    await page.getByRole('button', { name: 'Read tags' }).click();
    await page.getByRole('heading', { name: 'Hold a tag to the back of the phone' }).waitFor();
    return page;
  }

  beforeEach(async () => {
    await fixture.service.name(ADA, 'Ada', 'Lovelace');
  });

  it('records the tags that are held to it, and answers like the screen at the door', async () => {
    const page = await reading();
    await tap(page, SERIAL);
    await page.locator('.kiosk[data-answer="welcome"]').getByText('Welcome').waitFor();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    // Browsers keep titles.
    expect(await page.title()).to.equal('This phone as a reader · Tallybook');
    await expectAccessible(page);
    await fixture.service.nextSecond();
    await tap(page, SERIAL);
    await page.locator('.kiosk[data-answer="again"]').getByText('Already counted').waitFor();
    await tap(page, '04:de:ad:be:ef');
    await page
      .locator('.kiosk[data-answer="unknown"]')
      .getByRole('heading', { name: '04 DE AD BE EF' })
      .waitFor();
    await fixture.service.hasRecorded(2);
    await page.getByRole('heading', { name: 'Hold a tag to the back of the phone' }).waitFor();
  });

  it('says that it cannot read a tag, and reads the next one', async () => {
    const page = await reading();
    for (const serial of [undefined, '']) {
      await tap(page, serial);
      await page
        .locator('.kiosk[data-answer="refused"]')
        .getByText('The phone cannot read this tag')
        .waitFor();
      await tap(page, SERIAL);
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    }
  });

  it('says why the service refuses a tag', async () => {
    const page = await reading();
    await tap(page, '00:00:00:00');
    await page
      .locator('.kiosk[data-answer="refused"]')
      .getByText(/no tag/)
      .waitFor();
  });

  it('keeps tags while the service is away, and sends them when it is back, also from a page that was loaded anew', async () => {
    const page = await reading(true);
    await fixture.service.kill();
    await tap(page, SERIAL);
    await page.locator('.kiosk[data-answer="waiting"]').getByText('Kept on this phone').waitFor();
    await tap(page, '04:de:ad:be:ef');
    await page.getByText('2 taps are waiting on this phone').waitFor();
    await fixture.service.resume();
    await page.reload();
    await fixture.service.hasRecorded(2);
    await page.waitForFunction(() =>
      Object.entries(localStorage).some(([key, kept]) => key.endsWith('phone:gate') && kept === '[]'),
    );
  });

  it('reads nothing any more when it is left', async () => {
    const page = await reading();
    await page.getByRole('link', { name: 'Go to Today' }).click();
    await page.getByText('Nobody yet today').waitFor();
    expect(await page.evaluate('readerCount()')).to.equal(0);
  });

  for (const [refusal, words] of [
    ['NotAllowedError', 'The browser may not use NFC.'],
    ['NotSupportedError', 'The phone has no NFC'],
    ['NotReadableError', 'The phone is not reading tags.'],
  ] as const) {
    it(`says why it does not read after ${refusal}, and can be tried again`, async () => {
      const page = await fixture.open({ context: await phone(), page: '/phone-reader/gate' });
      await page.evaluate((name) => Object.assign(window, { refusal: name }), refusal);
      await page.getByRole('button', { name: 'Read tags' }).click();
      await page.getByText(words).waitFor();
      await page.evaluate(() => Object.assign(window, { refusal: undefined }));
      await page.getByRole('button', { name: 'Read tags' }).click();
      await page.getByText('Hold a tag to the back of the phone').waitFor();
    });
  }

  it('is found from the page of the system, and takes the only reader by itself', async () => {
    const page = await fixture.open({ context: await phone(), page: '/system' });
    await page.getByRole('link', { name: 'Use this phone as this reader' }).click();
    await page.getByRole('button', { name: 'Read tags' }).waitFor();
    expect(new URL(page.url()).hash).to.equal('#/phone-reader/gate');
    const direct = await fixture.open({ context: await phone(), page: '/phone-reader' });
    await direct.getByRole('button', { name: 'Read tags' }).waitFor();
  });

  it('asks which reader it is if there are several, and says how to set one up if there is none', async () => {
    await fixture.service.restart('--clock', 'trusted', '--reader', 'http:gate', '--reader', 'http:hall');
    const page = await fixture.open({ context: await phone('de-DE'), page: '/phone-reader' });
    await page.getByRole('heading', { name: 'Welcher Leser ist dieses Telefon?' }).waitFor();
    await expectWhole(page);
    await page.getByRole('link', { name: 'hall' }).click();
    await page.getByRole('button', { name: 'Chips lesen' }).waitFor();
    await expectWhole(page);
    // The open page would report errors while the service restarts.
    await page.close();
    await fixture.service.restart('--clock', 'trusted');
    const none = await fixture.open({ context: await phone(), page: '/phone-reader' });
    await none.getByRole('heading', { name: 'No reader for phones' }).waitFor();
  });

  it('says what it takes where the browser cannot read tags', async () => {
    const page = await fixture.open({ page: '/phone-reader', viewport: PHONE });
    await page.getByRole('heading', { name: 'This browser cannot read tags' }).waitFor();
    await page.getByText('Chrome on an Android phone').waitFor();
    await expectWhole(page);
  });

  it('says that it takes https where the page came without', async () => {
    const context = await fixture.newContext({ viewport: PHONE });
    await context.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
    const page = await fixture.open({ context, page: '/phone-reader' });
    await page.getByRole('heading', { name: 'Browsers read tags only over https' }).waitFor();
  });
});
