import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { answer } from './fixtures/answers.js';
import { BrowserFixture, expectAccessible, expectWhole } from './fixtures/browser.js';

const looks = [
  { language: 'en-GB', theme: 'light', widths: [320, 1200, 3840], record: 'Everything is recorded' },
  { language: 'de-DE', theme: 'dark', widths: [320, 800, 3840], record: 'Alles ist aufgezeichnet' },
] as const;

describe('the page of the system', () => {
  const fixture = new BrowserFixture();

  it('shows the state of readers, clock, record and program', async () => {
    await fixture.service.record('04A2B3C4D5');
    const page = await fixture.open({ page: '/system' });
    await page.getByRole('heading', { name: 'Reader: door' }).waitFor();
    for (const text of [
      /^Ready since /,
      'The clock is right',
      'Every tap has its time.',
      /^Storage left: \d/,
    ])
      await page.getByText(text).waitFor();
    await page.getByRole('region', { name: 'Clock' }).getByText('Europe/Berlin').waitFor();
    const { version } = JSON.parse(
      await readFile(new URL('../../../server/package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    await page.getByText(version, { exact: true }).waitFor();
  });

  it('says in plain words what is wrong with a reader', async () => {
    const page = await fixture.open({ language: 'de-DE', page: '/system' });
    fixture.service.tap('hello');
    await page.getByText('1 × Der Leser hat etwas gesendet, das keine Nummer eines Chips ist.').waitFor();
    await page.getByText(/^Nichts richtig gelesen seit /).waitFor();
    // Reasons are in English, and closed.
    expect(await page.getByText('not a tally id').isVisible()).to.equal(false);
    await page.getByText('Einzelheiten', { exact: true }).click();
    await page.getByText('INVALID_TALLY_ID').waitFor();
    await expectAccessible(page);
  });

  it('saves a backup', async () => {
    await fixture.service.record('04A2B3C4D5');
    const page = await fixture.open({ page: '/system' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save a backup' }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).to.include({ kind: 'end', entries: 1 });
  });

  it('restores a backup beside what is recorded, and says of another file that it changes nothing', async () => {
    await fixture.service.record('04A2B3C4D5');
    const backup = Buffer.from(await (await fixture.service.request('GET', '/api/export')).arrayBuffer());
    const at = Math.floor(Date.now() / 1_000);
    await fixture.service.request('DELETE', `/api/day?timestamp=${at}`);
    await fixture.service.record('0011223344');
    const page = await fixture.open({ page: '/system', allowsErrors: true });
    await page.getByRole('button', { name: 'Restore a backup' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Restore a backup' });
    const restore = dialog.getByRole('button', { name: 'Restore', exact: true });
    await restore.press('Enter');
    await dialog.getByText('Choose a file.').waitFor();
    const choose = (buffer: Buffer): Promise<void> =>
      dialog
        .getByLabel('File of a backup')
        .setInputFiles({ name: 'backup.jsonl', mimeType: 'application/jsonl', buffer });
    await choose(backup.subarray(0, -10));
    await restore.press('Enter');
    await dialog.getByText('This is not a whole backup. Nothing was changed.').waitFor();
    await expectAccessible(page);
    await choose(backup);
    await restore.press('Enter');
    await page.getByText('Restored: 0 people. Entries of days: 1.').waitFor();
    await fixture.service.hasRecorded(2);
    await page.getByRole('button', { name: 'Restore a backup' }).press('Enter');
    await choose(backup);
    await restore.press('Enter');
    await page.getByText('Nothing in this backup was new: all of it is here already.').waitFor();
  });

  it('has taps wait for the right time, and sets the clock from this device, once more if that is unlikely', async () => {
    const hour = 3_600;
    const at = Math.floor(Date.now() / 1_000) + hour;
    await fixture.service.waitForTimeServer(true);
    await fixture.service.restart('--clock', 'system');
    await fixture.service.name('04A2B3C4D5', 'Ada', 'Lovelace');
    // Its clock is an hour ahead at a tap, and right after the restart.
    await fixture.service.request('POST', '/api/time', { time: at, confirm: true });
    fixture.service.tap('0011223344');
    await fixture.service.hasRecorded(1, at);
    await fixture.service.waitForTimeServer(false);
    await fixture.service.restart('--clock', 'system');
    // More than a day after every time that the service knows.
    const context = await fixture.newContext();
    await context.clock.setFixedTime((at + 72 * hour) * 1_000);
    const page = await fixture.open({ context, page: '/system', allowsErrors: true });
    await page.getByText('It shows a time before the last tap').waitFor();
    fixture.service.tap('04A2B3C4D5');
    await page.getByText('1 tap is waiting for the right time').waitFor();
    await page.getByText(/^Ada Lovelace after .* · door$/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Set from this device …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set the clock' });
    await dialog.getByRole('button', { name: /^Set to / }).click();
    await dialog.getByText('That time looks wrong to the service.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: /^Set to / }).click();
    await page.getByText('The clock was set.').waitFor();
    await page.getByText('It was set by hand').waitFor();
    await page.getByText('Every tap has its time.').waitFor();
  });

  it('says that a receiver is not reached, and how many messages wait for it', async () => {
    // No program listens on this port.
    await fixture.service.restart('--clock', 'trusted', '--publish', 'mqtt://127.0.0.1:1/hall?name=hall');
    const page = await fixture.open({ page: '/system' });
    const card = page.getByRole('region', { name: 'Publishers: hall' });
    await card.getByText('Receiver unreachable').waitFor();
    fixture.service.tap('04A2B3C4D5');
    await card.getByText(/^[1-9] messages? waiting$/).waitFor();
    await expectAccessible(page);
  });

  it('does not say that everything is recorded while the store cannot write', async () => {
    const page = await (await fixture.newContext()).newPage();
    const store = { part: 'store', status: 'fail', detail: 'its disk or card is read-only or broken' };
    await answer(page, '/api/health', () => ({ status: 'fail', isReady: false, parts: [store] }));
    await page.goto(`${fixture.service.url}/#/system`);
    const card = page.getByRole('region', { name: 'Record' });
    await card.getByText('Store: does not work').waitFor();
    expect(await card.getByText('Everything is recorded').count()).to.equal(0);
  });

  it('says that a publisher has stopped, what its receiver refused, and sends again', async () => {
    let status = 422;
    const folder = await mkdtemp(join(tmpdir(), 'tallybook-hook-'));
    const receiver = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end());
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = receiver.address() as AddressInfo;
      const secret = join(folder, 'secret');
      await writeFile(secret, `whsec_${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 });
      const url = `http://127.0.0.1:${port}/taps?name=hall&secret-file=${secret}`;
      await fixture.service.restart('--clock', 'trusted', '--publish', url);
      fixture.service.tap('04A2B3C4D5');
      const page = await fixture.open({ page: '/system' });
      const card = page.getByRole('region', { name: 'Publishers: hall' });
      await card.getByText('0 messages waiting · Refused: 1').waitFor();
      status = 404;
      fixture.service.tap('04A2B3C4D6');
      await card.getByText('Stopped').waitFor();
      await page.getByText('Publishers: does not work').waitFor();
      await expectAccessible(page);
      status = 204;
      await card.getByRole('button', { name: 'Send again' }).click();
      await card.getByText('0 messages waiting', { exact: true }).waitFor();
      await card.getByText('Live').waitFor();
    } finally {
      receiver.closeAllConnections();
      receiver.close();
      await rm(folder, { recursive: true });
    }
  });

  for (const { language, theme, widths, record } of looks) {
    it(`is whole and accessible in ${language}, ${theme}, ${widths.join(', ')} pixels wide`, async () => {
      const page = await fixture.open({ language, theme, page: '/system' });
      await page.getByText(record).waitFor();
      await expectWhole(page, widths);
    });
  }
});
