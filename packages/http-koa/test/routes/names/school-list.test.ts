import { parseTallyId } from '@tallybook/domain';
import type { ImportReport, PeoplePage } from '@tallybook/http-contract';
import { writeXlsx, type Cell } from '@tallybook/spreadsheets';
import { expect } from 'chai';
import { useService } from '../../fixtures/running-service.js';

const PUPILS = 800;
const NAMESAKES = 31;
const CLASSES = 12;

interface Pupil {
  readonly number: string;
  readonly first: string;
  readonly last: string;
  readonly group: string;
  readonly tag?: string;
}

/** Of the last pupils, each has the name of one of the first. */
const school: readonly Pupil[] = Array.from({ length: PUPILS }, (_, index) => {
  const namesake = index < PUPILS - NAMESAKES ? index : index - (PUPILS - NAMESAKES);
  return {
    ...{ number: String(1_000 + index), first: `Vorname${namesake}`, last: `Nachname${namesake % 400}` },
    group: `${5 + (index % CLASSES)}a`,
  };
});

/** A workbook with these columns. */
async function workbook(pupils: readonly Pupil[], hasNumbers = true): Promise<Buffer> {
  const titles = ['Nachname', 'Vorname', ...(hasNumbers ? ['Mitgliedsnummer'] : []), 'Klasse', 'Chip'];
  async function* rows(): AsyncGenerator<readonly Cell[], void, undefined> {
    for (const { number, first, last, group, tag } of pupils)
      yield [last, first, ...(hasNumbers ? [number] : []), group, tag];
  }
  const columns = titles.map((title) => ({ title, kind: 'text' as const, width: 12 }));
  const pieces = writeXlsx({ name: 'Schule', columns, frozenColumns: 0, rows: rows() }, { zone: 'UTC' });
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

describe('A list of a school in a workbook', () => {
  const service = useService();

  async function take(bytes: Buffer, { query = '', choices = {} } = {}): Promise<ImportReport> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), 'school.xlsx');
    form.set('choices', JSON.stringify(choices));
    const answer = await service.request(`/api/people${query}`, { method: 'POST', body: form });
    expect(answer.status, answer.text.slice(0, 500)).to.equal(200);
    return JSON.parse(answer.text) as ImportReport;
  }

  const changedPupil = (pupil: Pupil, index: number): Pupil => {
    if (index < 100 || index >= 114) return pupil;
    if (index < 105) return { ...pupil, group: '9b' };
    if (index < 108) return { ...pupil, last: `${pupil.last}-Neu` };
    return { ...pupil, tag: `0A0B0C${index}`.slice(0, 9).concat('0') };
  };

  it('changes only what was changed in the spreadsheet when it is imported again', async () => {
    const first = await take(await workbook(school));
    expect(first).to.deep.include({ new: PUPILS, doubtful: 0, withoutTag: PUPILS, left: [] });
    expect(first.newGroups).to.have.length(CLASSES);
    const again = await take(await workbook(school));
    expect(again).to.deep.include({ new: 0, changed: 0, same: PUPILS, rows: [], left: [], newGroups: [] });

    const leaving = 4;
    const changed = [
      ...school.slice(0, PUPILS - leaving).map(changedPupil),
      ...school.slice(20, 21).map((pupil) => ({ ...pupil, number: '2001' })),
      { number: '2002', first: 'Neu', last: 'Neumann', group: '5a' },
    ].sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0));
    const shown = await take(await workbook(changed), { query: '?dry-run=1' });
    const report = await take(await workbook(changed));
    for (const { new: added, changed: count, same, doubtful, rows, left, newGroups } of [shown, report]) {
      expect([added, count, same, doubtful]).to.deep.equal([2, 14, PUPILS - leaving - 14, 0]);
      const kinds = rows.flatMap(({ changes }) => changes);
      const times = (kind: string): number => kinds.filter((each) => each === kind).length;
      expect([times('groups'), times('name'), times('tag'), times('number')]).to.deep.equal([5, 3, 6, 0]);
      expect(left.map(({ number }) => number)).to.have.members(['1796', '1797', '1798', '1799']);
      expect(newGroups).to.deep.equal(['9b']);
    }
    expect(report.withoutTag).to.equal(PUPILS - leaving + 2 - 6);
    expect(await take(await workbook(changed))).to.include({ new: 0, changed: 0 });
    // Nobody who is not in the list was removed.
    const { people } = await service.json<PeoplePage>('/api/people?limit=1000');
    expect(people).to.have.length(PUPILS + 2);
  });

  it('changes nothing as a table that is exported and imported again', async () => {
    const tagged = school.map((pupil, index) => ({ ...pupil, tag: `0A0B0C${1_000 + index}` }));
    await take(await workbook(tagged));
    await service.people.act(parseTallyId('0A0B0C1003'), { act: 'lost' });
    await service.people.act(parseTallyId('0A0B0C1004'), { act: 'returned' });
    for (const { tag } of tagged.slice(0, 60)) await service.tap(tag);
    const now = service.clock.now();
    const url = `http://127.0.0.1:${service.port}/api/xlsx?from=${now - 86_400}&to=${now}`;
    const exported = Buffer.from(await (await fetch(url)).arrayBuffer());
    const report = await take(exported);
    expect(report).to.deep.include({ new: 0, changed: 0, same: PUPILS, rows: [], left: [], newGroups: [] });
  });

  it('changes only what was changed if it has no numbers, as classes tell its namesakes apart', async () => {
    await take(await workbook(school));
    const report = await take(await workbook(school.map(changedPupil), false));
    expect(report.left).to.have.length(3);
    expect(report).to.include({ doubtful: 0, new: 3, changed: 11, same: PUPILS - 14 });
  });

  it('asks for its namesakes alone, if neither numbers nor classes tell them apart', async () => {
    await take(await workbook(school));
    const bytes = await workbook(
      school.map((pupil) => ({ ...pupil, group: 'Camp' })),
      false,
    );
    const { doubtful, rows, changed, new: added, left } = await take(bytes, { query: '?dry-run=1' });
    expect(doubtful).to.equal(2 * NAMESAKES);
    expect([changed, added, left.length]).to.deep.equal([PUPILS - 2 * NAMESAKES, 0, 0]);
    const choices: Record<number, { take: string }> = {};
    for (const { line, state, candidates } of rows) {
      if (state !== 'doubtful') continue;
      expect(candidates).to.have.length(2);
      // Below the titles.
      const pupil = school[line - 2];
      choices[line] = { take: candidates.find(({ number }) => number === pupil?.number)?.id ?? 'skip' };
    }
    expect(await take(bytes, { choices })).to.include({ doubtful: 0, new: 0, changed: PUPILS });
  });
});
