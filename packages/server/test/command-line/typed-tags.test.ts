import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { openServer } from '../fixtures/container-of.js';
import { call, callWith, type Called } from '../fixtures/processes/called.js';
import { GivenInput } from '../fixtures/processes/given-input.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

type Server = AsyncDisposable & { readonly url: string };

/** Names of the tags of a list with the numbers of these cards, as the service has them. */
const LIST = 'Karte;Vorname;Nachname\n0563537489;Anna;Beispiel\n0009351929;Ben;Muster\n';
const NAMES = {
  '008EB2F9': { first: 'Ben', last: 'Muster' },
  '2196E651': { first: 'Anna', last: 'Beispiel' },
};

describe('Commands and requests with the numbers that are printed on cards', () => {
  const folder = temporaryFolder();
  const store = (): string => `level:${folder.path('store')}`;

  /** A service with a reader that delivers ids in a format. */
  const serve = (format: string): Promise<Server> =>
    openServer({ store: store(), clock: 'trusted', reader: [`http:door?format=${format}`] });

  async function ask(
    server: Server,
    path: string,
    body?: string,
    type = 'application/json',
  ): Promise<unknown> {
    const init = body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': type }, body };
    const text = await (await fetch(`${server.url}${path}`, init)).text();
    return /^[[{]/.test(text) ? JSON.parse(text) : text;
  }

  async function tap(server: Server, ...ids: readonly string[]): Promise<void> {
    const readings = ids.map((id) => ({ id }));
    const { results } = (await ask(server, '/api/readers/door/readings', JSON.stringify({ readings }))) as {
      readonly results: readonly object[];
    };
    expect(results).to.deep.equal(ids.map(() => ({ n: null, outcome: 'counted' })));
  }

  async function list(text: string): Promise<string> {
    const file = folder.path('people.csv');
    await writeFile(file, text);
    return file;
  }

  /** Calls a command at a terminal, at which a person types; without one if nothing is typed. */
  async function type(typed: string | undefined, ...args: readonly string[]): Promise<Called> {
    using _ = new GivenInput(typed ?? '', { isTTY: typed !== undefined });
    return await call(...args, '--store', store());
  }

  it('name the tags that were tapped, from a list over HTTP', async () => {
    await using server = await serve('dec10');
    await tap(server, '0563537489', '0009351929');
    await ask(server, '/api/people', LIST, 'text/csv');
    expect(await ask(server, '/api/mapping')).to.deep.equal(NAMES);
    expect(await ask(server, '/api/unnamed')).to.deep.equal([]);
  });

  it('name 60 members by their printed numbers, with and without leading zeros', async () => {
    const members = Array.from({ length: 60 }, (_, n) => 1_000_000 + n * 261_111);
    await using server = await serve('dec10');
    await tap(server, ...members.map((number) => String(number).padStart(10, '0')));
    for (const digits of [10, 0]) {
      const rows = members.map(
        (number, n) => `${String(number).padStart(digits, '0')};Member;${digits}-${n}`,
      );
      await ask(server, '/api/people', ['Karte;Vorname;Nachname', ...rows].join('\n'), 'text/csv');
      const expected = members.map((number, n): [string, object] => [
        number.toString(16).toUpperCase().padStart(8, '0'),
        { first: 'Member', last: `${digits}-${n}` },
      ]);
      expect(await ask(server, '/api/mapping')).to.deep.equal(Object.fromEntries(expected));
    }
  });

  it('name no wrong tag from a list without leading zeros of cards that nobody tapped', async () => {
    await using server = await serve('dec10');
    const rows = 'id;first;last\n9351929;Ben;Muster\n63537489;Anna;Beispiel\n';
    expect(JSON.stringify(await ask(server, '/api/people', rows, 'text/csv'))).to.include(
      '03C98151 (format=dec10)',
    );
    expect(await ask(server, '/api/mapping')).to.deep.equal({});
    await ask(server, '/api/people?format=dec10', rows, 'text/csv');
    expect(Object.keys((await ask(server, '/api/mapping')) as object)).to.have.members([
      '008EB2F9',
      '03C98151',
    ]);
  });

  it('take the text of a card of a reader of text', async () => {
    await using server = await serve('text');
    await tap(server, 'M-004711', '20041122');
    await ask(server, '/api/people', 'id;first;last\nM-004711;Anna;\n20041122;Ben;\n', 'text/csv');
    expect(await ask(server, '/api/unnamed')).to.deep.equal([]);
    const name = JSON.stringify({ id: '4711', name: { first: 'Cy', last: '' }, format: 'text' });
    expect(await ask(server, '/api/mapping', name)).to.equal('');
  });

  for (const isServed of [true, false]) {
    const variables = isServed ? {} : { TALLYBOOK_READERS: 'http:door?format=dec10' };
    /** A store with two taps, one of a tag without a name; its service runs, or has stopped. */
    const prepare = async (): Promise<Server | undefined> => {
      const server = await serve('dec10');
      await tap(server, '0563537489', '0009351929');
      if (isServed) return server;
      await server[Symbol.asyncDispose]();
      return undefined;
    };
    const where = isServed ? 'in the service that runs' : 'by the settings, if no service runs';

    it(`are read ${where}: erase, person and import-names`, async () => {
      await using _ = await prepare();
      const file = await list(LIST);
      const run = (...args: readonly string[]) => callWith(variables, ...args, '--store', store());

      const trial = await run('import-names', '--dry-run', file);
      expect(trial.output).to.include(': 2 new,');
      expect(trial.errors)
        .to.match(/^2 ids were read as dec10, and 2 tags were seen before\n/)
        .and.match(/^ {2}0563537489 = 21 96 E6 51, last seen on \d{4}-\d{2}-\d{2} at door$/m);
      expect((await run('import-names', file)).output).to.include(': 2 new,');

      const data = await run('person', '0563537489');
      expect(JSON.parse(data.output)).to.deep.include({ id: '2196E651', name: NAMES['2196E651'] });
      expect(data.errors).to.match(/^0563537489 = 21 96 E6 51, "Anna Beispiel", last seen on .* at door\n$/);

      const erasure = await run('erase', '--dry-run', '0009351929');
      expect(erasure.output).to.match(/^008EB2F9: would erase a name, 1 day with 1 known scan/);
      expect((await run('erase', '--dry-run', '--format', 'hex', '0009351929')).output).to.match(
        /^0009351929: nothing is known of it/,
      );
      expect((await run('erase', '--dry-run', '--format', 'dez', '0009351929')).errors).to.match(
        /format(?: is|: must be) one of hex/,
      );
      expect((await run('erase', '--dry-run', 'Ben')).errors).to.match(/written here as 10 decimal digits/);
    });
  }

  it('are doubted if no service runs, and no reader of numbers is configured', async () => {
    await (await serve('dec10'))[Symbol.asyncDispose]();
    const erase = async (...args: readonly string[]) =>
      (await call('erase', '--dry-run', ...args, '--store', store())).errors;
    const doubt = '0009351929 is read as hex; if it is a number, give --format\n';
    expect(await erase('0009351929', '2196E651')).to.equal(doubt);
    expect(await erase('--format', 'hex', '0009351929')).to.equal('');
  });

  it('can be sent back as a correction answers them', async () => {
    await using server = await serve('dec');
    const day = Math.floor(Date.now() / 86_400_000) - 1;
    const correction = { action: 'add', day, id: '12345678', at: day * 86_400 + 60, reason: 'forgot to tap' };
    await ask(server, '/api/corrections', JSON.stringify({ ...correction, format: 'hex' }));
    expect(await ask(server, `/api/scans?day=${day}&id=12345678`)).to.deep.include({
      added: [correction.at],
    });
  });

  it('say that a list of digits is read as hex, if no reader of numbers is known', async () => {
    const file = await list(LIST);
    const run = (...args: readonly string[]) => call('import-names', file, '--store', store(), ...args);
    expect((await run()).errors).to.equal(
      'all ids are digits, and are read as hex; if they are numbers, give --format\n',
    );
    expect((await run('--format', 'hex', '--dry-run')).errors).to.equal('');
    await list('id;first;last\n0563537489;Anna;B\n2196E651;Anna;B\n');
    expect((await run('--dry-run')).errors).to.equal('');
  });

  it('ask at a terminal which of two tags is meant, and refuse a pipe with both', async () => {
    await using server = await serve('dec');
    await tap(server, '12345678');
    const name = { first: 'Ben', last: 'Muster' };
    await ask(server, '/api/mapping', JSON.stringify({ id: '12345678', name, format: 'hex' }));

    const piped = await type(undefined, 'person', '12345678');
    expect([piped.exitCode, piped.output]).to.deep.equal([1, '']);
    expect(piped.errors).to.include('00BC614E (format=dec) or 12345678 (format=hex)');

    const { output, errors } = await type('2\n', 'person', '12345678');
    expect(errors)
      .to.match(/^ {2}1: 12345678 = 00 BC 61 4E, last seen on .* at door \(dec\)$/m)
      .and.match(/^ {2}2: 12345678 = 12 34 56 78, "Ben Muster", not seen yet \(hex\)$/m)
      .and.include('which one is meant? [1-2] ');
    expect(JSON.parse(output)).to.deep.include({ id: '12345678', name });
    expect((await type('3\n', 'person', '12345678')).errors).to.include('AMBIGUOUS_TALLY_ID');

    const file = await list('id;first;last\n6547886;Anna;Beispiel\n12345678;Cy;Muster\n');
    const refused = await type(undefined, 'import-names', file);
    expect(refused.errors).to.match(/line 3: .*00BC614E \(format=dec\) or 12345678 \(format=hex\)/);
    expect(await ask(server, '/api/mapping')).to.deep.equal({ '12345678': name });
    expect((await type('1\n', 'import-names', file)).output).to.include(': 2 new,');
    expect(await ask(server, '/api/mapping')).to.have.all.keys(['12345678', '0063E9AE', '00BC614E']);
  });
});
