import { readdir, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { JOURNAL_LIMIT_RANGE, parseTallyId, toDay, toTimestamp, type TallyId } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { usePostgres } from '../../../store-postgres/test/fixtures/postgres.js';
import { copyStore } from '../../src/command-line/copy-command.js';
import { loadConfig } from '../../src/config/config.js';
import { createStorage, describeStore, type StoreNotice } from '../../src/config/stores.js';
import { surveyStores, type Survey } from '../../src/copy/survey-stores.js';
import { call, callWith, type Called } from '../fixtures/processes/called.js';
import { failureOf } from '../fixtures/failure-of.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { ada, day, fillVaried, withStores } from '../fixtures/stores/varied-store.js';

const idOf = (n: number): TallyId => parseTallyId(n.toString(16).padStart(8, '0'));

describe('A store in PostgreSQL', () => {
  const folder = temporaryFolder();
  const postgres = usePostgres();
  let site = '';
  const inStore = (...args: readonly string[]): Promise<Called> => call(...args, '--store', site);
  const survey = (url: string): Promise<Survey> => withStores(url, (stores) => surveyStores(stores));

  beforeEach(() => {
    site = postgres.current.site();
  });

  /** The output of a command. It must succeed, and must not contain the password. */
  async function said(...args: readonly string[]): Promise<string> {
    const { exitCode, output, errors } = await inStore(...args);
    expect(exitCode, errors).to.equal(0);
    const password = decodeURIComponent(/:([^:@/]*)@/.exec(site)?.[1] ?? '');
    for (const secret of [password, encodeURIComponent(password)].filter((text) => text !== '')) {
      expect(output + errors).not.to.contain(secret);
    }
    return output;
  }

  it('is migrated once, and stores of other kinds are not migrated', async () => {
    expect(await said('migrate')).to.match(/^nothing to do: format \d+, in postgres:\/\//);
    const refused = await call('migrate', '--store', `level:${folder.path('store')}`);
    expect(refused).to.deep.include({ exitCode: 2 });
    expect(refused.errors).to.match(/this store is migrated when it is opened/);
  });

  it('has one zone for all of its servers, which a command changes', async () => {
    const open = (zone: string): Promise<void> =>
      withStores(createStorage(site, { calendar: { zone, dayStart: '00:00' } }), () => Promise.resolve());
    await open('UTC');
    expect(await failureOf(open('Europe/Berlin'), 'STORE_UNAVAILABLE')).to.match(
      /use --zone UTC --day-start 00:00/,
    );
    expect((await inStore('migrate', '--zone', 'Europe/Berlin')).errors).to.match(
      /--zone and --day-start together/,
    );
    expect((await inStore('migrate', '--zone', 'Nowhere', '--day-start', '00:00')).exitCode).to.equal(2);
    await said('migrate', '--zone', 'Europe/Berlin', '--day-start', '00:00');
    await open('Europe/Berlin');
  });

  it('is not made by commands that read', async () => {
    const { exitCode, errors } = await inStore('export');
    expect(exitCode).to.equal(1);
    expect(errors).to.match(/there is no store at postgres:\/\/.*STORE_UNAVAILABLE/);
    await failureOf(
      withStores('postgres://127.0.0.1:1/none', () => Promise.resolve()),
      'STORE_UNAVAILABLE',
    );
  });

  it('reports once that a site is new, because its name may be misspelt', async () => {
    const notices: StoreNotice[] = [];
    for (let time = 1; time <= 2; time++) {
      const storage = createStorage(site, { notify: (notice) => notices.push(notice) });
      await withStores(storage, () => Promise.resolve());
    }
    const made = notices.filter(({ kind }) => kind === 'created');
    expect(made).to.deep.equal([{ kind: 'created', path: describeStore(site) }]);
  });

  it('keeps the set number of changes for the set time by its clock', async () => {
    const { lowest: limit } = JOURNAL_LIMIT_RANGE;
    const clock = new ManualClock();
    const storage = createStorage(site, { journal: { limit, days: 1 }, clock });
    const { mapping, journal } = storage;
    await storage.open();
    const named = (first: number, count: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: count }, (_, n) => mapping.put(idOf(first + n), { first: 'Ada', last: '' })),
      );
    const isKnown = async (after: number): Promise<boolean> => (await journal.read(after, 1)).isKnown;
    await named(0, 1);
    clock.set(clock.now() + 2 * 86_400);
    expect(await isKnown(0)).to.equal(true);
    await named(1, 1);
    expect(await isKnown(0)).to.equal(false);
    await named(2, limit - 1);
    expect(await isKnown(1)).to.equal(true);
    await named(limit + 1, limit);
    expect(await isKnown(1)).to.equal(false);
    await storage.close();
  });

  it('has users and tokens that commands make without a service', async () => {
    expect(await said('user', 'add', 'ada', '--role', 'admin', '--no-password')).to.match(/ada/);
    expect(await said('token', 'add', 'door', '--role', 'device')).to.match(/^tb_/);
    expect(await said('user', 'list')).to.match(/^ada +admin/m);
    expect(await said('audit', 'verify')).to.match(/sound: 2 entries/);
    const { errors } = await inStore('setup-code');
    expect(errors).to.match(/has users already/);
  });

  it('leaves nothing of the sockets that commands use', async () => {
    const scratch = { TMPDIR: folder.path() };
    const add = ['user', 'add', 'ada', '--role', 'admin', '--no-password', '--store', site];
    expect(await callWith(scratch, ...add)).to.deep.include({ exitCode: 0, errors: '' });
    expect(await readdir(folder.path())).to.deep.equal([]);
  });

  it('imports lists of names and backups, and exports them', async () => {
    await writeFile(folder.path('names.csv'), 'id;first name;last name\n04A2B3C4D5;Ada;Lovelace\n');
    expect(await said('import-names', folder.path('names.csv'))).to.match(/1 new/);
    await said('export', folder.path('backup.jsonl'));
    expect(await said('import', folder.path('backup.jsonl'))).to.match(/imported 1 name/);
    expect(await said('export')).to.contain('"Lovelace"');
  });

  it('erases persons, and names the limits for the files of the database', async () => {
    await withStores(site, ({ days }) => days.record(day, ada, toTimestamp(1_763_500_000)));
    expect(await said('erase', ada, '--confirm')).to.match(
      /no table holds it any more; files of the database/,
    );
    expect(await said('export')).not.to.contain(ada);
  });

  it('gets the complete store of a device by a copy, and can be copied back', async () => {
    const [device, back] = [`level:${folder.path('device')}`, `level:${folder.path('back')}`];
    await fillVaried(device);
    const original = await survey(device);
    await copyStore(device, site, { isMerging: false });
    expect(await survey(site)).to.deep.equal(original);
    await copyStore(device, site, { isMerging: false });
    await copyStore(site, back, { isMerging: false });
    expect(await survey(back)).to.deep.equal(original);
    const id = parseTallyId('FFFFFFFF');
    await withStores(site, ({ days }) => days.record(toDay(20_500), id, toTimestamp(1_771_200_000)));
    expect(await failureOf(copyStore(device, site, { isMerging: false }), 'INVALID_OPTION')).to.match(
      /other scans of the tag FFFFFFFF/,
    );
  });
});

describe('describeStore', () => {
  const shown: Readonly<Record<string, string>> = {
    'level:./data': 'level:./data',
    'memory:': 'memory:',
    'postgres://ada@db/hall?site=a': 'postgres://ada@db/hall?site=a',
    'postgres://ada:secret@db:5432/hall': 'postgres://ada@db:5432/hall',
    'postgres://ada:se/cr@et:@db/hall': 'postgres://ada@db/hall',
    'postgres://ada:secret@a:1,b:2/hall': 'postgres://ada@a:1,b:2/hall',
    'postgre://ada:secret@db/hall': 'postgre://ada@db/hall',
    'postgres://db/hall?password=secret&site=a': 'postgres://db/hall?password=…&site=a',
    'postgres://db/hall?site=a&sslPassword=secret': 'postgres://db/hall?site=a&sslPassword=…',
  };
  for (const [url, expected] of Object.entries(shown)) {
    it(`shows ${expected} without a password`, () => {
      expect(describeStore(url)).to.equal(expected);
    });
  }

  it('is used in refusals of a URL', () => {
    const refuse = (): unknown => loadConfig({ store: 'postgre://ada:secret@db/hall' }, {});
    expect(refuse).to.throw(/got "postgre:\/\/ada@db\/hall"/);
  });
});
