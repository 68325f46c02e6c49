import { writeFile } from 'node:fs/promises';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { describeMigration } from '../../../src/command-line/definitions/store-definitions.js';
import { call } from '../../fixtures/processes/called.js';
import { withStores } from '../../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const ADA = parseTallyId('04A2B3C4D5');
const BOB = parseTallyId('0A0B0C0D0E');

describe('The commands of whole stores', () => {
  const folder = temporaryFolder();
  const store = (name: string): string => `level:${folder.path(name)}`;

  async function fill(name: string, id = ADA): Promise<void> {
    await withStores(store(name), ({ days }) => days.record(toDay(20_411), id, toTimestamp(1_763_510_400)));
  }

  it('copy into an empty store, and into one with a record only with --merge', async () => {
    await fill('from');
    const copy = (...more: readonly string[]): ReturnType<typeof call> =>
      call('copy', '--from', store('from'), '--to', store('to'), ...more);
    const first = await copy();
    expect([first.exitCode, first.errors]).to.deep.equal([0, '']);
    expect(first.output.split('\n')[0]).to.equal(`copied ${store('from')} into ${store('to')}:`);
    await fill('to', BOB);
    const refused = await copy();
    expect([refused.exitCode, refused.output]).to.deep.equal([2, '']);
    expect(refused.errors).to.match(/nothing was copied.*--merge/);
    const merged = await copy('--merge');
    expect([merged.exitCode, merged.errors]).to.deep.equal([0, '']);
    expect(merged.output.split('\n')[0]).to.equal(`merged ${store('from')} into ${store('to')}:`);
  });

  it('report the number of imported items of each kind', async () => {
    const file = folder.path('backup.jsonl');
    const lines = (...more: readonly object[]): string =>
      [{ kind: 'tallybook', version: 1 }, ...more].map((line) => `${JSON.stringify(line)}\n`).join('');
    const name = { kind: 'name', first: 'Ada', last: '' };
    const correction = {
      ...{
        kind: 'correction',
        action: 'add',
        day: 20_411,
        id: ADA,
        at: 1_763_510_400,
        reason: 'Forgot to tap',
      },
      ...{ author: 'desk', madeAt: 1_763_510_500, state: 'approved' },
    };
    const entry = {
      kind: 'entry',
      day: 20_411,
      id: ADA,
      first: 1_763_510_400,
      last: 1_763_510_400,
      count: 1,
    };
    const imported = async (text: string): Promise<string> => {
      await writeFile(file, text);
      const { output } = await call('import', file, '--store', store('store'));
      return output.replace(store('store'), 'it');
    };
    expect(await imported(lines({ ...name, id: ADA }, entry))).to.equal('imported 1 name, 1 entry into it\n');
    expect(await imported(lines({ ...name, id: ADA }, { ...name, id: BOB }, correction))).to.equal(
      'imported 2 names, 0 entries, 1 correction into it\n',
    );
    const named = {
      value: { first: 'Alan', last: 'Turing' },
      stamp: [1_763_510_400_000, 0, '16b3117aa4c92260'],
    };
    const person = { kind: 'person', id: '5FAB209E7042C6', name: named, isUntagged: true };
    expect(await imported(lines(person))).to.equal('imported 1 person, 0 names, 0 entries into it\n');
  });

  it('report the content of a sound store', async () => {
    await fill('store');
    const { output } = await call('repair', '--store', store('store'));
    expect(output)
      .to.match(/^the store is sound and was not changed; it holds .*\b1 day\b/)
      .and.not.include('saved');
  });

  it('migrate only databases, and accept a zone and a day start only together', async () => {
    await fill('store');
    const migrate = (...more: readonly string[]): ReturnType<typeof call> =>
      call('migrate', '--store', store('store'), ...more);
    const file = await migrate();
    expect([file.exitCode, file.output]).to.deep.equal([2, '']);
    for (const half of [
      ['--zone', 'UTC'],
      ['--day-start', '04:00'],
    ]) {
      const { exitCode, errors } = await migrate(...half);
      expect(exitCode).to.equal(2);
      expect(errors).to.equal('tallybook: migrate takes --zone and --day-start together\n');
    }
  });

  it('report whether tables were made, migrated, or unchanged', () => {
    expect(describeMigration({ from: 0, to: 3 })).to.equal('made tables of format 3');
    expect(describeMigration({ from: 2, to: 3 })).to.equal('brought format 2 to 3');
    expect(describeMigration({ from: 3, to: 3 })).to.equal('nothing to do: format 3');
  });
});
