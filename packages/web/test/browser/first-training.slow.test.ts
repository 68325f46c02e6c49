import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { writeXlsx, type Cell } from '../../../spreadsheets/src/index.js';
import { BrowserFixture } from './fixtures/browser.js';

const FIRST = ['Ada', 'Ben', 'Cem', 'Dora', 'Emil', 'Finn', 'Hans', 'Ina', 'Jan', 'Kim'];
const STARTS = ['Ba', 'De', 'Fi', 'Go', 'Ku', 'La', 'Me', 'Ni', 'Po', 'Ru'];
const ENDS = ['cker', 'lmann', 'nder', 'rtens', 'ssler', 'tzner'];

const members = ENDS.flatMap((end, row) =>
  STARTS.map((start, index) => ({ first: FIRST[(index + row) % FIRST.length] ?? '', last: start + end })),
);
const tagOf = (index: number): string => `04AB00${(index + 16).toString(16).toUpperCase().padStart(4, '0')}`;

/** Letters of the last name that are typed. */
const LETTERS = 4;
/** By member: who gets their tag by mistake first. */
const WRONG = new Map([7, 23, 41].map((index) => [index, index + 5]));

/** What people need, in seconds: for a key, to think of a name, to hold a tag to a reader. */
const KEY_S = 0.28;
const THINK_S = 1.35;
const TAP_S = 1;

async function workbook(): Promise<Buffer> {
  async function* rows(): AsyncGenerator<readonly Cell[], void, undefined> {
    for (const { first, last } of members) yield [last, first, '1. Mannschaft'];
  }
  const columns = ['Nachname', 'Vorname', 'Gruppe'].map((title) => ({
    title,
    kind: 'text' as const,
    width: 12,
  }));
  const sheet = { name: 'Verein', columns, frozenColumns: 0, rows: rows() };
  const pieces: Uint8Array[] = [];
  for await (const piece of writeXlsx(sheet, { zone: 'UTC' })) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('the first training of a club', () => {
  const fixture = new BrowserFixture();
  let keys = 0;

  async function press(page: Page, key: string): Promise<void> {
    keys++;
    await page.keyboard.press(key);
  }

  async function choose(page: Page, { last }: { readonly last: string }): Promise<void> {
    for (const letter of last.slice(0, LETTERS).toLowerCase()) await press(page, letter);
    await press(page, 'Enter');
  }

  it('gives 60 imported members their tags in less than five minutes, by the keyboard, with three mistakes undone', async function () {
    this.timeout(240_000);
    const page = await fixture.open({ page: '/people/import' });
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'members.xlsx', mimeType, buffer: await workbook() });
    await page.getByRole('button', { name: 'Save 60 people' }).press('Enter');
    await page.getByRole('link', { name: 'Give 60 people their tags' }).press('Enter');
    await page.getByText('Hold a tag to a reader', { exact: true }).waitFor();
    fixture.service.tap(tagOf(0), tagOf(1));
    for (const [index, member] of members.entries()) {
      // Others wait with their tags while a name is typed.
      if (index + 2 < members.length) fixture.service.tap(tagOf(index + 2));
      const whose = page.getByText(`Whose tag is ${tagOf(index).replace(/..(?=.)/g, '$& ')}?`);
      await whose.waitFor();
      const read = page.locator('.enrol-read');
      const wrong = members[WRONG.get(index) ?? -1];
      if (wrong !== undefined) {
        await choose(page, wrong);
        await read.getByText(`now belongs to ${wrong.first} ${wrong.last}.`).waitFor();
        await press(page, 'Delete');
        await read.getByText(`Undone: ${wrong.first} ${wrong.last} does not have it.`).waitFor();
        await whose.waitFor();
      }
      await choose(page, member);
      await read.getByText(`now belongs to ${member.first} ${member.last}.`).waitFor();
    }
    const spent = keys * KEY_S + (members.length + WRONG.size) * THINK_S + members.length * TAP_S;
    expect(keys).to.equal((members.length + WRONG.size) * (LETTERS + 1) + WRONG.size);
    expect(spent).to.be.below(300);
    await fixture.service.hasRecorded(members.length);
    const response = await fixture.service.request('GET', '/api/people?limit=1000');
    const { people } = (await response.json()) as {
      people: {
        name: { first: string; last: string };
        tags: { id: string; since: number; isLost: boolean }[];
      }[];
    };
    const held = new Map(people.map(({ name, tags }) => [`${name.first} ${name.last}`, tags]));
    for (const [index, { first, last }] of members.entries())
      expect(held.get(`${first} ${last}`)?.map(({ id, isLost }) => [id, isLost])).to.deep.equal([
        [tagOf(index), false],
      ]);
  });
});
