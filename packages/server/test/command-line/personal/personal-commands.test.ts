import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Called } from '../../fixtures/processes/called.js';
import { GivenInput } from '../../fixtures/processes/given-input.js';
import { storedService } from '../../fixtures/processes/stored-service.js';

const ID = '04A2B3C4D5';
const OTHER = '0011223344';
const BACKUP = [
  { kind: 'tallybook', version: 1 },
  { kind: 'name', id: ID, first: 'Ada', last: 'Lovelace' },
  { kind: 'entry', day: 20_411, id: ID, first: 1_763_500_000, last: 1_763_503_600, count: 3 },
];

describe('The commands for personal data, at a terminal', () => {
  const { folder, inStore } = storedService();

  beforeEach(async () => {
    const file = folder.path('backup.jsonl');
    await writeFile(file, BACKUP.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect((await inStore('import', file)).exitCode).to.equal(0);
  });

  async function answer(typed: string, ...args: readonly string[]): Promise<Called> {
    using _ = new GivenInput(typed, { isTTY: true });
    return await inStore(...args, '--clock', 'trusted');
  }
  const kept = async (): Promise<string> => (await inStore('export')).output;

  it('show the data and its person, and erase only after a yes', async () => {
    for (const typed of ['n\n', '\n', 'yesterday\n', '']) {
      const { exitCode, output, errors } = await answer(typed, 'erase', ID, OTHER);
      expect([exitCode, output]).to.deep.equal([2, '']);
      const [doubt, first, second, question] = errors.split('\n');
      expect(doubt).to.match(/^0011223344 is read as hex; if it is a number, give --format/);
      expect(first).to.match(/^04A2B3C4D5: would erase the name "Ada Lovelace", 1 day with 2 known scans/);
      expect(second).to.match(/^0011223344: nothing is known of it/);
      expect(question).to.match(/^erase that from everything, and for good\? \[y\/N\] /);
      expect(errors).to.match(/tallybook: nothing was erased\n$/);
      expect(await kept())
        .to.include('Lovelace')
        .and.include('"kind":"entry"');
    }
    const { exitCode, output } = await answer('y\n', 'erase', ID);
    expect([exitCode, output.split(',')[0]]).to.deep.equal([0, `${ID}: erased a name`]);
    expect(await kept()).to.not.match(/Lovelace|"kind":"entry"/);
  });

  it('show a person who was chosen by their own id, and erase them only after a yes', async () => {
    const erase = ['erase', '--person', `tag-${ID}`];
    const refused = await answer('n\n', ...erase);
    expect([refused.exitCode, refused.output]).to.deep.equal([2, '']);
    const [person, tag] = refused.errors.split('\n');
    expect(person).to.equal(`person tag-${ID}: "Ada Lovelace", no number, had ${ID}`);
    expect(tag).to.match(/^04A2B3C4D5: would erase the name "Ada Lovelace", 1 day with 2 known scans/);
    expect(await kept()).to.include('Lovelace');
    const { exitCode, output } = await answer('y\n', ...erase);
    expect([exitCode, output.split('\n')[0]]).to.deep.equal([0, `person tag-${ID}: erased`]);
    expect(await kept()).to.not.match(/Lovelace|"kind":"entry"/);
  });

  it('show the days, also doubtful ones, and remove them only after a yes', async () => {
    const retention = ['retention', '--keep', '1day'];
    const refused = await answer('n\n', ...retention);
    expect([refused.exitCode, refused.output]).to.deep.equal([2, '']);
    expect(refused.errors)
      .to.match(/^1 day with 1 entry would be removed: .*\n {2}2025-11-19: 1 entry\n/)
      .and.match(/\nremove that for good\? \[y\/N\] .*nothing was removed\n$/s);
    expect(await kept()).to.include('"kind":"entry"');
    const { exitCode, output } = await answer('Yes\n', ...retention);
    expect([exitCode, output.split(':')[0]]).to.deep.equal([0, '1 day with 1 entry removed']);
    expect(await kept()).to.not.include('"kind":"entry"');
  });

  it('do not ask in a dry run, after a confirmation, or without data to remove', async () => {
    for (const [args, said] of [
      [['erase', ID, '--dry-run'], /: would erase a name/],
      [['retention', '--keep', '1day', '--dry-run'], /^1 day with 1 entry would be removed: .* \(1day\)$/m],
      [['retention', '--keep', '9999days'], /^0 days with 0 entries removed/],
      [['retention', '--keep', '1day', '--confirm'], /^1 day with 1 entry removed/],
      [['erase', ID, '--confirm'], /: erased a name/],
    ] as const) {
      const { exitCode, output, errors } = await answer('', ...args);
      expect([exitCode, errors], args.join(' ')).to.deep.equal([0, '']);
      expect(output).to.match(said);
    }
  });
});
