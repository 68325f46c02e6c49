import { access, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parseTallyId } from '@tallybook/domain';
import { importNames } from '../../src/command-line/import-names-command.js';
import { failureOf } from '../fixtures/failure-of.js';
import { withStores } from '../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

describe('importNames', () => {
  const folder = temporaryFolder();
  const url = (): string => `level:${folder.path('store')}`;

  async function list(...lines: readonly string[]): Promise<string> {
    const file = folder.path('people.csv');
    await writeFile(file, lines.join('\r\n'));
    return file;
  }

  const names = (): Promise<unknown> =>
    withStores(url(), async ({ mapping }) => Object.fromEntries(await mapping.read()));

  const ada = { first: 'Ada', last: 'Lovelace' };

  it('imports a list into a store, which it makes, and reports the changes', async () => {
    const file = await list('Karte;Vorname;Nachname', '0A-0A-0A;Ada;Lovelace', '0B0B0B;Bob;');
    expect(await importNames(url(), file)).to.equal(
      `changed persons in ${url()}: 2 new, 0 changed; 0 the same as before`,
    );
    expect(await names()).to.deep.equal({ '0A0A0A': ada, '0B0B0B': { first: 'Bob', last: '' } });
    expect(await importNames(url(), await list('0A0A0A;Ada;Lovelace', '0B0B0B;Bob;Carlson'))).to.equal(
      `changed persons in ${url()}: 0 new, 1 changed; 1 the same as before`,
    );
  });

  it('stamps the names with the time, so that older names of other places do not replace them', async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    await importNames(url(), await list('0A0A0A;Ada;Lovelace'));
    await withStores(url(), async ({ stampedNames, journal }) => {
      const [taken] = await stampedNames.get([parseTallyId('0A0A0A')]);
      expect(taken?.stamp?.ms).to.be.within(before, Date.now());
      // The stamp is from this place, even if another place gives one in the same second.
      expect(taken?.stamp?.node).to.equal(await journal.origin());
    });
  });

  it('only reports the changes in a dry run', async () => {
    await importNames(url(), await list('0A0A0A;Ada;Lovelace'));
    expect(await importNames(url(), await list('0A0A0A;Ada;King'), { isDryRun: true })).to.equal(
      `would change persons in ${url()}: 0 new, 1 changed; 0 the same as before`,
    );
    expect(await names()).to.deep.equal({ '0A0A0A': ada });
  });

  it('makes no store in a dry run', async () => {
    const file = await list('0A0A0A;Ada;Lovelace');
    await failureOf(importNames(url(), file, { isDryRun: true }), 'STORE_UNAVAILABLE');
    expect(await access(folder.path('store')).catch(() => 'missing')).to.equal('missing');
  });

  it('imports nothing of a list with faulty lines, and names them', async () => {
    const file = await list('0A0A0A;Ada;Lovelace', '0A0A;Ada;', '0B0B0B;;');
    for (const isDryRun of [false, true]) {
      await importNames(url(), await list('0C0C0C;Ada;Lovelace'));
      await list('0A0A0A;Ada;Lovelace', '0A0A;Ada;', '0B0B0B;;');
      const lines = (await failureOf(importNames(url(), file, { isDryRun }), 'INVALID_NAME_LIST')).split(
        '\n',
      );
      expect(lines.map((line) => line.split(':')[0])).to.deep.equal([
        `${file} was not imported, because lines are wrong`,
        'line 2',
        'line 3',
      ]);
    }
    expect(await names()).to.deep.equal({ '0C0C0C': ada });
  });

  it('names fifty faulty lines, and the number of the others', async () => {
    const file = await list('0A0A0A;Ada;', ...Array.from({ length: 60 }, () => 'no id;Ada;'));
    const lines = (await failureOf(importNames(url(), file), 'INVALID_NAME_LIST')).split('\n');
    expect([lines.length, lines.at(-1)]).to.deep.equal([52, 'and 10 more']);
    const fifty = await list('0A0A0A;Ada;', ...Array.from({ length: 50 }, () => 'no id;Ada;'));
    expect((await failureOf(importNames(url(), fifty), 'INVALID_NAME_LIST')).split('\n')).to.have.length(51);
  });

  it('remarks what was guessed and left out, and takes choices', async () => {
    const file = folder.path('people.csv');
    await writeFile(file, Buffer.from('ID;Karte;Name\r1;0A0A0A;J\u009Frgen\r2;;Ben\r', 'latin1'));
    const remarks: string[] = [];
    const remark = (line: string): number => remarks.push(line);
    await importNames(url(), file, { remark });
    expect(await names()).to.deep.include({ '0A0A0A': { first: '', last: 'Jürgen' } });
    expect(remarks).to.deep.equal([
      'The file does not name its encoding. It was read as macintosh: Jürgen. If letters are wrong, choose another encoding.',
      'The tag is taken from the column "Karte". Not used: "ID".',
    ]);
    await writeFile(file, Buffer.from('ID;Karte;Name\r1;0B0B0B;J\u009Frgen\r', 'latin1'));
    await importNames(url(), file, {
      encoding: 'windows-1252',
      idColumn: '2',
      firstColumn: '3',
      lastColumn: 'id',
    });
    expect(await names()).to.deep.include({ '0B0B0B': { first: 'JŸrgen', last: '1' } });
    const message = await failureOf(importNames(url(), file, { encoding: 'cp37' }), 'INVALID_OPTION');
    expect(message).to.match(/^--encoding is one of utf-8, .*; got "cp37"$/);
  });

  it('remarks of a refused list how it was read', async () => {
    const file = await list('Badge;Chip;Vorname', '0A0A0A;0B0B0B;Ada');
    const message = await failureOf(importNames(url(), file), 'INVALID_NAME_LIST');
    expect(message.split('\n')).to.deep.equal([
      `${file} was not imported, because lines are wrong:`,
      'line 1: several columns could be the tag: "Badge", "Chip"; choose the columns by title or number: id-column, first-column, last-column',
    ]);
  });

  it('refuses doubtful rows, which are chosen on the page, and says who is not in the list', async () => {
    await importNames(url(), await list('0A0A0A;Ada;Lovelace', '0B0B0B;Bob;Carlson'));
    const file = await list('Karte;Vorname;Nachname', '0A0A0A;Grace;Hopper', ';Alan;Turing');
    const shown = await importNames(url(), file, { isDryRun: true });
    expect(shown).to.match(
      /: 1 new, 0 changed; .*; 1 doubtful, .*; 1 without a tag; 1 member is not in the list$/,
    );
    const lines = (await failureOf(importNames(url(), file), 'INVALID_NAME_LIST')).split('\n');
    expect(lines[1]).to.match(
      /^line 2: the tag or number is .*: choose who it is, when you import the list on the page$/,
    );
    expect(await names()).to.deep.equal({ '0A0A0A': ada, '0B0B0B': { first: 'Bob', last: 'Carlson' } });
  });

  it('takes numbers as they are said to be', async () => {
    const numbered = ['Nr;Karte;Vorname', '1;0A0A0A;Ada', '2;0B0B0B;Bob', '3;0C0C0C;Carl'];
    await importNames(url(), await list(...numbered), { numberColumn: 'Nr' });
    const file = await list('Nr;Vorname', '1;Bob', '2;Carl', '3;Ada');
    const message = await failureOf(importNames(url(), file, { numberColumn: '1' }), 'INVALID_NAME_LIST');
    expect(message).to.include('numbers=running');
    expect(await importNames(url(), file, { numberColumn: '1', numbers: 'running' })).to.match(
      /; 3 the same/,
    );
    await failureOf(importNames(url(), file, { numbers: 'both' }), 'INVALID_OPTION');
  });

  it('reports a file that cannot be read or is too large', async () => {
    expect(await failureOf(importNames(url(), folder.path('none')), 'INVALID_OPTION')).to.include('none');
    const most = await list('0A0A0A;Ada;Lovelace\n'.padEnd(1_048_576, '\n'));
    expect(await importNames(url(), most)).to.include(': 1 new, ');
    const file = await list('x'.repeat(1_048_577));
    expect(await failureOf(importNames(url(), file), 'INVALID_OPTION')).to.match(/at most 1048576 bytes/);
  });

  it('names the running server as the way to import while it has the store', async () => {
    const file = await list('0A0A0A;Ada;Lovelace');
    await withStores(url(), async () => {
      const message = await failureOf(importNames(url(), file), 'STORE_LOCKED');
      expect(message).to.include('POST /api/people');
    });
  });
});
