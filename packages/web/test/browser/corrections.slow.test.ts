import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Correction, NewCorrection } from '@tallybook/client';
import { answer, Refusal } from './fixtures/answers.js';
import { BrowserFixture, expectAccessible, expectWhole, textsOf } from './fixtures/browser.js';
import { ADA, GRACE, backupOf, dayOf, visit } from './fixtures/record.js';

const SECRET = 'a sentence of Ada';
const DAY = dayOf('2025-03-03');
const HOUR = 3_600;
const at = (hour: number): number => DAY * 86_400 + hour * HOUR;

/** Keeps corrections in place of the service. */
class Corrections {
  all: Correction[] = [];
  isSecondNeeded = false;

  async answerTo(page: Page): Promise<void> {
    await answer(page, '/api/scans', () => ({ at: [at(8), at(16)], added: [], voided: [] }));
    await answer(page, '/api/corrections', ({ method, body }) =>
      method === 'GET'
        ? this.all
        : (body as { corrections: NewCorrection[] }).corrections.map((each) => this.add(each)),
    );
    await answer(page, '/api/corrections/decision', ({ body }) => {
      const decision = body as { number: number; approve: boolean; reason?: string };
      const { number, approve, reason: decisionReason = null } = decision;
      const found = this.all.find((each) => each.number === number);
      if (found?.author === 'desk') return new Refusal(403, 'OWN_CORRECTION');
      const state = approve ? 'approved' : 'rejected';
      this.all = this.all.map((each) =>
        each.number === number
          ? { ...each, state, decidedBy: 'ada', decidedAt: at(20), decisionReason }
          : each,
      );
      return found;
    });
  }

  add(correction: NewCorrection, author = 'grace'): Correction {
    const made: Correction = {
      ...correction,
      number: this.all.length + 1,
      author,
      madeAt: at(18),
      state: this.isSecondNeeded ? 'pending' : 'approved',
      decidedBy: null,
      decidedAt: null,
      decisionReason: null,
    };
    this.all.push(made);
    return made;
  }
}

const wrongTap: NewCorrection = {
  action: 'void',
  day: DAY,
  id: ADA,
  at: at(8),
  reason: 'the tag of somebody else',
};
const forgotten: NewCorrection = { action: 'add', day: DAY, id: ADA, at: at(17), reason: 'went home by bus' };

describe('corrections', () => {
  const fixture = new BrowserFixture([], { backup: backupOf([visit(ADA, DAY, 8, 16)]) });
  let corrections: Corrections;

  beforeEach(async () => {
    corrections = new Corrections();
    await fixture.service.nameBoth();
  });

  const open = (path: string, options = {}): Promise<Page> =>
    fixture.open({ ...options, page: path, prepare: (page) => corrections.answerTo(page), isRefused: true });

  it('are shown beside the entry, with reason, author and time for somebody who points or goes there, and on paper', async () => {
    corrections.add(wrongTap);
    corrections.add(forgotten);
    const page = await open('/days/2025-03-03');
    const mark = page.getByRole('button', { name: '09:00 struck out' });
    await mark.waitFor();
    expect(await mark.locator('del').count()).to.equal(1);
    expect(await page.getByRole('button', { name: '18:00 added' }).locator('ins').count()).to.equal(1);
    const why = page.getByText('the tag of somebody else');
    expect(await why.isVisible()).to.equal(false);
    await mark.focus();
    expect(await why.isVisible()).to.equal(true);
    await page.getByText('went home by bus').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: '18:00 added' }).hover();
    await page.getByText('went home by bus').waitFor();
    await page
      .getByText(/grace, .*3 Mar 2025/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ media: 'print' });
    expect(await why.isVisible()).to.equal(true);
  });

  it('strike out who was not there at all', async () => {
    corrections.add({ ...wrongTap, id: GRACE });
    const page = await open('/days/2025-03-03');
    const row = page.getByRole('row', { name: /Hopper/ });
    await row.getByRole('button', { name: '09:00 struck out' }).waitFor();
    expect(await row.getAttribute('class')).to.equal('row-gone');
  });

  it('void a tap that was wrong and add one that was forgotten, with a reason, by the keyboard alone', async () => {
    const page = await open('/days/2025-03-03');
    await page.getByRole('button', { name: 'Correct: Ada Lovelace' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Correct the record' });
    await dialog.getByRole('checkbox', { name: '09:00:00' }).press('Space');
    await dialog.getByLabel('Time of the forgotten tap').fill('18:00');
    await dialog.getByRole('button', { name: 'Save the correction' }).press('Enter');
    await dialog.getByText('Give a reason, of 3 to 500 characters.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('mixed up');
    await page.keyboard.press('Enter');
    await page.getByText('2 corrections were saved.').waitFor();
    expect(corrections.all.map(({ action, at: when, reason }) => [action, when, reason])).to.deep.equal([
      ['void', at(8), 'mixed up'],
      ['add', at(17), 'mixed up'],
    ]);
    await page.getByRole('button', { name: '18:00 added' }).waitFor();
  });

  it('add a tap of somebody who is found by a part of the name', async () => {
    const page = await open('/days/2025-03-03');
    await page.getByRole('button', { name: 'Add a forgotten tap' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add a forgotten tap' });
    await dialog.getByRole('searchbox', { name: 'Who' }).fill('hop');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Hopper, Grace' }).press('Enter');
    await dialog.getByLabel('Time of the forgotten tap').fill('07:30');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('forgot the tag');
    await page.keyboard.press('Enter');
    await page.getByText('1 correction was saved.').waitFor();
    expect(corrections.all[0]).to.include({ id: GRACE, day: DAY, action: 'add', at: at(6.5) });
  });

  it('are made on the page of a person too', async () => {
    corrections.add(wrongTap);
    const page = await open(`/person/tag-${ADA}/2025-03-01/2025-03-31`);
    await page.getByRole('button', { name: '09:00 struck out' }).waitFor();
    await page.getByRole('button', { name: /^Correct: Mon/ }).press('Enter');
    await page.getByRole('dialog').getByRole('checkbox', { name: '17:00:00' }).waitFor();
    expect(await page.getByRole('checkbox', { name: '09:00:00' }).isChecked()).to.equal(false);
    await expectAccessible(page);
  });

  it('wait for somebody else where a second person is needed, who approves or rejects them', async () => {
    corrections.isSecondNeeded = true;
    corrections.add(wrongTap);
    corrections.add(forgotten);
    corrections.add({ ...forgotten, at: at(15) }, 'desk');
    const page = await open('/days/2025-03-03');
    await page.getByText('waiting for approval').first().waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Corrections' }).press('Enter');
    await page.getByRole('heading', { name: 'Corrections' }).waitFor();
    await page.getByRole('button', { name: /^Approve: Ada Lovelace, .*09:00 struck out$/ }).press('Enter');
    await page.getByText('The correction was approved.').waitFor();
    await page.getByRole('button', { name: /^Reject: Ada Lovelace, .*18:00 added$/ }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Reject the correction?' });
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Why' }).fill('the bus was late');
    await page.keyboard.press('Enter');
    await page.getByText('The correction was rejected.').waitFor();
    // Its author sees the reason too.
    await page.locator('.row-rejected').getByText('the bus was late').waitFor();
    await page.getByRole('button', { name: /^Approve: .*16:00 added$/ }).press('Enter');
    await page.getByText('You cannot approve your own correction.').waitFor();
    expect(corrections.all.map(({ state }) => state)).to.deep.equal(['approved', 'rejected', 'pending']);
    // The page reads the list again after each decision.
    await page.locator('.row-rejected th').waitFor();
    expect(await textsOf(page, '.row-rejected th')).to.deep.equal(['Lovelace, Ada']);
    await expectAccessible(page);
  });

  for (const [language, theme, width] of [
    ['en-GB', 'light', 320],
    ['de-DE', 'dark', 320],
    ['de-DE', 'dark', 1200],
  ] as const)
    it(`are whole and accessible in ${language}, ${theme}, ${width} pixels wide`, async () => {
      corrections.add(wrongTap);
      corrections.add(forgotten);
      corrections.isSecondNeeded = true;
      corrections.add({ ...forgotten, at: at(15) });
      const options = { language, theme, viewport: { width, height: 800 } };
      const page = await open('/days/2025-03-03', options);
      await page.locator('.mark-corrected').first().focus();
      await expectWhole(page);
      await page.evaluate(() => (location.hash = '/corrections'));
      await page.locator('.corrections-table tbody th').first().waitFor();
      await expectWhole(page);
    });
});

describe('corrections that the service keeps', () => {
  const fixture = new BrowserFixture();

  it('are seen at once on the page of today: a tag whose taps were all wrong is not here', async () => {
    await fixture.service.nameBoth();
    await fixture.service.record(ADA, GRACE);
    const watching = await fixture.open();
    await watching.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
    const page = await fixture.open({ page: '/days' });
    await page.getByRole('button', { name: 'Correct: Ada Lovelace' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox').press('Space');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('somebody else had the tag');
    await page.keyboard.press('Enter');
    await page.getByText('1 correction was saved.').waitFor();
    await watching.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor({ state: 'detached' });
    await watching.getByRole('rowheader', { name: 'Hopper, Grace' }).waitFor();
    await page
      .getByRole('row', { name: /Lovelace/ })
      .getByRole('button', { name: /struck out/ })
      .waitFor();
    await page.getByRole('button', { name: 'Correct: Ada Lovelace' }).press('Enter');
    await dialog.getByRole('checkbox', { checked: false }).press('Space');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('it was hers after all');
    await page.keyboard.press('Enter');
    await watching.getByRole('rowheader', { name: 'Lovelace, Ada' }).waitFor();
  });

  it('show somebody without a tag once on a day, with the tap that was added', async () => {
    const { id } = await fixture.service.send<{ id: string }>('/api/person', {
      name: { first: 'Alan', last: 'Turing' },
    });
    const day = Math.floor(Date.now() / 86_400_000) - 2;
    const scan = { day, id: `FF5442${id}`, at: day * 86_400 + 12 * HOUR };
    await fixture.service.send('/api/corrections', { ...forgotten, ...scan });
    const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
    const page = await fixture.open({ page: `/days/${date}` });
    const row = page.getByRole('row', { name: /Turing/ });
    await row.getByRole('button', { name: /added/ }).waitFor();
    expect(await row.count()).to.equal(1);
  });

  for (const [language, add, who, time, why, told] of [
    [
      'en-GB',
      'Add a forgotten tap',
      'Who',
      'Time of the forgotten tap',
      'Reason',
      /in the past, at most 400 days/,
    ],
    [
      'de-DE',
      'Vergessene Buchung ergänzen',
      'Wer',
      'Vergessene Buchung, Uhrzeit',
      'Grund',
      /höchstens 400 Tage/,
    ],
  ] as const)
    it(`say in words which time can be added, in ${language}`, async () => {
      await fixture.service.name(ADA, 'Ada', 'Lovelace');
      const page = await fixture.open({ page: '/corrections', language, allowsErrors: true });
      await page.getByRole('button', { name: add }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('searchbox', { name: who }).fill('love');
      await dialog.getByRole('button', { name: 'Lovelace, Ada' }).press('Enter');
      await dialog.getByLabel(time).fill('08:00');
      await dialog.getByRole('textbox', { name: why }).fill('forgot the tag');
      for (const day of ['2000-01-01', '9000-01-01']) {
        await dialog.locator('[type="date"]').fill(day);
        await page.keyboard.press('Enter');
        await dialog.getByText(told).waitFor();
        await dialog.locator('[type="date"]').fill('');
      }
      await expectAccessible(page);
    });

  it('wait where a second person is needed, and count when an administrator approves what is not their own', async () => {
    const { service } = fixture;
    const day = Math.floor(Date.now() / 86_400_000) - 2;
    await service.load(backupOf([visit(ADA, day, 8, 16)]));
    await service.restart('--clock', 'trusted', '--approve-corrections');
    await service.name(ADA, 'Ada', 'Lovelace');
    await service.addAdmin('ada', SECRET);
    await service.addUser('grace', 'desk', SECRET);
    const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
    const path = `/person/tag-${ADA}/${date}/${date}`;
    const desk = await fixture.openAs('grace', SECRET, { page: path });
    const forget = async (page: Page, time: string): Promise<void> => {
      await page.getByRole('button', { name: /^Correct: / }).press('Enter');
      await page.getByLabel('Time of the forgotten tap').fill(time);
      await page.getByRole('textbox', { name: 'Reason' }).fill('forgot the tag');
      await page.keyboard.press('Enter');
      await page.getByText('1 correction is waiting for somebody else to approve it.').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await forget(desk, '18:00');
    await forget(desk, '19:00');
    const admin = await fixture.openAs('ada', SECRET, { page: path, isRefused: true });
    await forget(admin, '20:00');
    await admin.evaluate(() => (location.hash = '/corrections'));
    await admin.getByRole('button', { name: /^Approve: Ada Lovelace, .*18:00 added$/ }).press('Enter');
    await admin.getByText('The correction was approved.').waitFor();
    await admin.getByRole('button', { name: /^Reject: Ada Lovelace, .*19:00 added$/ }).press('Enter');
    await admin.getByRole('dialog').getByRole('textbox', { name: 'Why' }).fill('nobody saw her');
    await admin.keyboard.press('Enter');
    await admin.getByText('The correction was rejected.').waitFor();
    await admin.getByRole('button', { name: /^Approve: .*20:00 added$/ }).press('Enter');
    await admin.getByText('You cannot approve your own correction.').waitFor();
    await expectAccessible(admin);
    const range = `from=${day * 86_400}&to=${(day + 1) * 86_400}`;
    const answered = await service.request('GET', `/api/corrections?${range}`);
    const kept = (await answered.json()) as Correction[];
    expect(kept.map(({ author, state, decidedBy }) => [author, state, decidedBy])).to.deep.equal([
      ['grace', 'approved', 'ada'],
      ['grace', 'rejected', 'ada'],
      ['ada', 'pending', null],
    ]);
    await desk.reload();
    await desk.getByRole('button', { name: '18:00 added' }).waitFor();
  });
});
