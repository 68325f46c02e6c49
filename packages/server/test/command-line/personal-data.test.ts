import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Calendar, parseTallyId, PeopleService, Timekeeper, toDay, toTimestamp } from '@tallybook/domain';
import { createStorage, serviceId } from '@tallybook/server';
import { ManualClock, MemoryDayStore } from '@tallybook/testing';
import { call } from '../fixtures/processes/called.js';
import { storedService } from '../fixtures/processes/stored-service.js';
import { withStores } from '../fixtures/stores/varied-store.js';
import { rebindParts } from '../fixtures/stores/rebind-parts.js';
import { containerOf, openServer } from '../fixtures/container-of.js';

const ID = '04A2B3C4D5';
const OTHER = '0011223344';
const QUIET = { reader: ['simulated:?every=1h'] };
const BACKUP = [
  { kind: 'tallybook', version: 1 },
  { kind: 'name', id: ID, first: 'Ada', last: 'Lovelace' },
  { kind: 'entry', day: 20_411, id: ID, first: 1_763_500_000, last: 1_763_503_600, count: 3 },
  { kind: 'entry', day: 20_411, id: OTHER, first: 1_763_500_000, last: 1_763_503_600, count: 3 },
];

/** Limits so low that commands through the socket would exceed them if they counted. */
const ONE_EACH = { maxExportsPerMinute: '1', maxReadsPerSecond: '1', maxWritesPerSecond: '1' };

describe('The commands for personal data', () => {
  const { folder, store, inStore: run } = storedService();
  const backup = (...parts: readonly string[]): string => folder.path('backups', ...parts);
  const exported = async (): Promise<string> => (await run('export')).output;

  /** A store with two tags, and backups of it. */
  beforeEach(async () => {
    await mkdir(backup());
    const text = BACKUP.map((line) => `${JSON.stringify(line)}\n`).join('');
    await writeFile(backup('tallybook-00000001.jsonl'), text);
    await writeFile(backup('tallybook-00000002.jsonl'), text.replaceAll(ID, OTHER));
    expect((await run('import', backup('tallybook-00000001.jsonl'))).exitCode).to.equal(0);
  });

  const trusted = ['--clock', 'trusted'];

  it('erase a person, name backups with the person, and do not restore the person from them', async () => {
    const erase = (...more: readonly string[]) => run('erase', ID, '--backup', backup(), ...trusted, ...more);
    const dry = await erase('--dry-run');
    expect(dry.output).to.match(/would erase a name, 1 day with 2 known scans/);
    expect(dry.output).to.include('still in the backup tallybook-00000001.jsonl\n');
    expect(dry.output).to.not.include('00000002');
    const { output, exitCode } = await erase('--confirm');
    expect(exitCode).to.equal(0);
    expect(output)
      .to.match(/: erased a name/)
      .and.include('no file of the store holds it any more');
    const again = await run('import', backup('tallybook-00000001.jsonl'));
    expect(again.output)
      .to.match(/^read /)
      .and.include('; all but 2 records of persons who were erased are in level:');
    expect(await exported())
      .to.include(OTHER)
      .and.include('"kind":"erasure"')
      .and.not.match(/04A2B3C4D5|Lovelace/);
  });

  it('report an unknown tag, and erase it for data that comes later', async () => {
    const erase = (...more: readonly string[]) => run('erase', 'AB00000001', ...trusted, ...more);
    expect((await erase('--dry-run')).output).to.match(/^AB00000001: nothing is known of it;/);
    expect((await erase('--confirm')).output).to.match(
      /^AB00000001: nothing was known of it; .* is refused$/m,
    );
    expect(await exported()).to.include('"kind":"erasure"');
  });

  it('find the person in files of other names in the folder of backups, and in damaged ones', async () => {
    await rename(backup('tallybook-00000001.jsonl'), backup('monday.jsonl'));
    const torn = Buffer.concat([Buffer.alloc(100_000, 0xff), Buffer.from(`"${ID}"`)]);
    await writeFile(backup('torn.jsonl'), torn);
    const { output } = await run('erase', ID, '--backup', backup(), ...trusted, '--dry-run');
    expect(output.match(/still in the backup .*/g)).to.deep.equal([
      'still in the backup monday.jsonl',
      'still in the backup torn.jsonl',
    ]);
  });

  it('erase nothing if the folder of backups is missing, and make none', async () => {
    const missing = ['--backup', folder.path('typo')];
    const { exitCode, errors } = await run('erase', ID, ...missing, '--confirm', ...trusted);
    expect(exitCode).to.equal(2);
    expect(errors)
      .to.include('--backup: the folder cannot be read: ENOENT')
      .and.include('nothing was erased');
    expect(await readdir(folder.path('.'))).to.not.include('typo');
    expect((await run('person', ID)).output).to.include('Lovelace');
  });

  it('name the page of the service, if a program that does not answer has the store', async () => {
    await using storage = createStorage(store());
    await storage.open();
    const { exitCode, errors } = await run('person', ID);
    expect(exitCode).to.equal(1);
    expect(errors).to.match(/; or ask the running server: \/api\/person\/data .*\(STORE_LOCKED\)/);
  });

  it('erase nothing without a terminal and without a confirmation', async () => {
    const { exitCode, errors, output } = await run('erase', ID, ...trusted);
    expect([exitCode, output]).to.deep.equal([2, '']);
    expect(errors).to.match(/nothing was erased: .*check with --dry-run, then add --confirm$/m);
    expect((await run('person', ID)).output).to.include('Lovelace');
  });

  it('print all kept data of a tag', async () => {
    const { output } = await run('person', '04:a2:b3:c4:d5');
    expect(JSON.parse(output)).to.deep.include({ id: ID, name: { first: 'Ada', last: 'Lovelace' } });
  });

  it('remove days that were kept long enough, and doubtful ones with a confirmation', async () => {
    const retention = (...more: readonly string[]) => run('retention', '--keep', '1day', ...trusted, ...more);
    expect((await run('retention')).output).to.equal('all days are kept: --keep is not set\n');
    expect((await retention('--dry-run')).output).to.match(/1 day with 2 entries would be removed/);
    const { exitCode, errors } = await retention();
    expect(exitCode).to.equal(1);
    expect(errors).to.include('RETENTION_NOT_CONFIRMED');
    expect((await retention('--confirm')).output).to.match(/1 day with 2 entries removed/);
    expect(await exported()).to.not.include('"kind":"entry"');
  });

  it('remove nothing by a clock that is behind a tap of the service, unless it is declared as trusted', async () => {
    const last = Math.floor(Date.now() / 1_000) + 3 * 86_400;
    await withStores(store(), async ({ journal, days }) => {
      await journal.advance('clock', Math.ceil(last / 60));
      await days.record(toDay(Math.floor(last / 86_400)), parseTallyId(OTHER), toTimestamp(last));
    });
    const retention = (...more: readonly string[]) =>
      run('retention', '--keep', '1day', '--confirm', ...more);
    const doubted = await retention();
    expect([doubted.exitCode, doubted.output]).to.deep.equal([1, '']);
    expect(doubted.errors).to.match(/before-last-scan\).*CLOCK_NOT_TRUSTED/);
    expect((await retention(...trusted)).output).to.match(/^1 day with 2 entries removed/);
  });

  it('remove old days with only corrections, as the service does', async () => {
    const correction = {
      ...{
        kind: 'correction',
        action: 'add',
        day: 20_400,
        id: ID,
        at: 1_762_600_000,
        reason: 'Forgot to tap',
      },
      ...{ author: 'desk', madeAt: 1_763_500_000, state: 'approved' },
    };
    const file = folder.path('corrections.jsonl');
    await writeFile(file, [BACKUP[0], correction].map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect((await run('import', file)).exitCode).to.equal(0);
    const { output } = await run('retention', '--keep', '1day', '--confirm', ...trusted);
    expect(output).to.match(/^2 days with 3 entries removed/);
    expect(await exported()).to.not.include('"kind":"correction"');
  });

  it('ask the service that has the store open', async () => {
    const settings = { ...QUIET, store: store(), clock: 'trusted', keep: '1day', ...ONE_EACH };
    await using server = await openServer(settings);
    const read = await run('person', ID);
    expect(JSON.parse(read.output)).to.deep.include({ id: ID, name: { first: 'Ada', last: 'Lovelace' } });
    for (let n = 0; n < 10; n++) expect((await run('person', ID)).exitCode).to.equal(0);
    const other = (...more: readonly string[]) => run('retention', '--keep', '400days', ...more);
    expect((await other('--confirm')).errors).to.include(
      '--keep: the service that runs keeps 1day, and not 400days',
    );
    expect((await other('--dry-run')).output).to.match(
      /^0 days with 0 entries would be removed: those before .* \(400days\)/,
    );
    const dry = await run('retention', '--dry-run');
    expect(dry.output).to.match(/1 day with 2 entries would be removed: those before .* \(1day\)/);
    expect((await run('retention')).errors).to.include('RETENTION_NOT_CONFIRMED');
    const erase = (...more: readonly string[]) => run('erase', ID, ...more);
    expect((await erase('--dry-run')).output)
      .to.include('would erase a name, 1 day with 2 known scans')
      .and.include('no backup (*.jsonl) that the service makes holds it');
    expect((await erase('--backup', backup(), '--confirm')).output)
      .to.include(': erased a name')
      .and.include('still in the backup tallybook-00000001.jsonl\n');
    expect((await server.container.get(serviceId('storage')).mapping.read()).size).to.equal(0);
    expect((await run('retention', '--confirm')).output).to.match(/1 day with 1 entry removed/);
    const audit = await run('audit', 'list');
    expect(audit.output.split('\n').map((line) => line.split(' ').slice(2, 4).join(' '))).to.deep.equal([
      '"console" person-erased',
      '"console" retention-applied',
      '',
    ]);
  });

  it('note erasures and removals in the audit trail, and print its entries about the tag', async () => {
    await run('erase', OTHER, '--confirm', ...trusted);
    await run('retention', '--keep', '1day', '--confirm', ...trusted);
    const { output } = await run('audit', 'list');
    expect(output.split('\n').map((line) => line.split(' ')[3])).to.deep.equal([
      'person-erased',
      'retention-applied',
      undefined,
    ]);
    expect(output).to.not.include(OTHER);
    expect(JSON.parse((await run('person', ID)).output)).to.deep.include({ audit: [] });
  });

  describe('about a tag that was handed on', () => {
    const HANDED_ON = 1_763_400_000;

    /** Ada's tag is Bob's since then; before, Ada was there on a day of her own. Resolves with the id of Bob. */
    async function handOn(): Promise<string> {
      const ada = parseTallyId(ID);
      await using stores = createStorage(store());
      await stores.open();
      const clock = new ManualClock(HANDED_ON + 86_400);
      const timekeeper = new Timekeeper(clock);
      const { people } = stores;
      const persons = new PeopleService({ people, timekeeper, calendar: new Calendar({}) });
      const bob = await persons.add({ name: { first: 'Bob', last: 'Noyce' }, number: '17' });
      await persons.act(ada, { act: 'give', person: bob, since: toTimestamp(HANDED_ON) });
      await stores.days.record(toDay(20_400), ada, toTimestamp(20_400 * 86_400), { reader: 'door' });
      return bob;
    }
    const adaId = `tag-${ID}`;
    const adaIs = `person ${adaId}: "Ada Lovelace", no number, had ${ID} until 2025-11-17 17:19 UTC`;
    const bobIs = (bob: string): string =>
      `person ${bob}: "Bob Noyce", number "17", had ${ID} from 2025-11-17 17:20 UTC`;

    it('refuse the tag, and name the persons and the option for them', async () => {
      const bob = await handOn();
      for (const args of [
        ['erase', ID, '--dry-run'],
        ['person', ID],
      ]) {
        const { exitCode, errors } = await run(...args, ...trusted);
        expect(exitCode, args.join(' ')).to.equal(1);
        expect(errors).to.include(`choose the persons (${adaId}, ${bob}) with --person`);
      }
    });

    it('show who the chosen person is, and erase them and their days alone', async () => {
      const bob = await handOn();
      const dry = await run('erase', '--person', bob, '--person', adaId, '--dry-run', ...trusted);
      expect(dry.output.split('\n').slice(0, 2)).to.deep.equal([bobIs(bob), adaIs]);
      expect(JSON.parse((await run('person', '--person', bob)).output)).to.deep.include({
        person: {
          ...{ ids: [bob], name: { first: 'Bob', last: 'Noyce' }, number: '17' },
          ...{ from: null, until: null },
        },
      });
      const erased = await run('erase', '--person', bob, '--backup', backup(), '--confirm', ...trusted);
      expect(erased.output)
        .to.match(new RegExp(`^person ${bob}: erased\n${ID}: erased a name, 1 day with 2 known scans`))
        .and.include('still in the backup tallybook-00000001.jsonl\n')
        .and.not.include('Noyce');
      expect(await exported())
        .to.include('"day":20400')
        .and.not.match(/Noyce|"day":20411,"id":"04A2B3C4D5"/);
    });

    it('find a person who never had a tag in a backup', async () => {
      await handOn();
      await using stores = createStorage(store());
      await stores.open();
      const timekeeper = new Timekeeper(new ManualClock(HANDED_ON + 86_400));
      const { people } = stores;
      const persons = new PeopleService({ people, timekeeper, calendar: new Calendar({}) });
      const cleo = await persons.add({ name: { first: 'Cleo', last: '' } });
      const at = toTimestamp(20_401 * 86_400);
      await stores.days.record(toDay(20_401), people.lastResortOf(cleo), at, { reader: 'desk' });
      await stores.close();
      await writeFile(backup('cleo.jsonl'), await exported());
      const dry = await run('erase', '--person', cleo, '--backup', backup(), '--dry-run', ...trusted);
      expect(dry.output.split('\n').slice(0, 2)).to.deep.equal([
        `person ${cleo}: "Cleo", no number, never had a tag`,
        `FF5442${cleo}: would erase a name, 1 day with 1 known scan, 0 scans that wait, 0 corrections, 2 changes in the journal`,
      ]);
      expect(dry.output).to.match(/^still in the backup cleo\.jsonl\n$/m);
    });

    it('ask the service that has the store open', async () => {
      const bob = await handOn();
      await using _ = await openServer({ ...QUIET, store: store(), clock: 'trusted', ...ONE_EACH });
      expect((await run('erase', ID, '--dry-run')).errors).to.include(`${bob}) with --person`);
      expect((await run('person', '--person', bob)).output)
        .to.include('Noyce')
        .and.not.include('Lovelace');
      const erase = (...more: readonly string[]) =>
        run('erase', '--person', bob, '--person', adaId, '--backup', backup(), ...more);
      const { output } = await erase('--dry-run');
      expect(output.split('\n').slice(0, 2)).to.deep.equal([bobIs(bob), adaIs]);
      expect((await erase('--confirm')).output)
        .to.match(new RegExp(`^person ${bob}: erased\nperson ${adaId}: erased\n`))
        .and.include('still in the backup tallybook-00000001.jsonl');
      expect((await run('person', '--person', bob)).errors).to.include('PERSON_NOT_FOUND');
    });

    it('refuse an id of no person, neither a tag nor a person, and both for a file', async () => {
      for (const [args, said] of [
        [['erase', '--person', 'Bob'], /the id of a person is 14 upper-case hex digits.*INVALID_PERSON/],
        [['erase', '--person', '0123456789ABCD', '--confirm', ...trusted], /PERSON_NOT_FOUND/],
        [['person', '--person', '0123456789ABCD'], /PERSON_NOT_FOUND/],
        [['erase'], /give a tag, or --person/],
        [['person'], /give either a tag or --person/],
        [['person', ID, '--person', adaId], /give either a tag or --person/],
      ] as const) {
        const { exitCode, errors, output } = await run(...args);
        expect([exitCode === 0, output], args.join(' ')).to.deep.equal([false, '']);
        expect(errors).to.match(said);
      }
    });
  });

  it('make no store, and refuse an invalid tag', async () => {
    const none = ['--store', `level:${folder.path('none')}`];
    expect((await call('person', ID, ...none)).errors).to.include('STORE_UNAVAILABLE');
    expect((await call('erase', 'Ada', ...none)).errors).to.include('INVALID_TALLY_ID');
    expect(await readdir(folder.path('.'))).to.not.include('none');
  });
});

describe('The server', () => {
  it('notes corrections in the audit trail, and gives them with the data of a person', async () => {
    await using server = await openServer({ ...QUIET, clock: 'trusted' });
    const id = parseTallyId(ID);
    const at = toTimestamp(1_763_500_000);
    const day = server.container.get(serviceId('calendar')).dayOf(at);
    const request = { action: 'add', day, id, at, reason: 'forgotten' } as const;
    await server.container.get(serviceId('tallybook')).corrections?.correct([request], 'grace');
    const response = await fetch(`${server.url}/api/person/data?id=${ID}`);
    const { audit } = (await response.json()) as { readonly audit: readonly object[] };
    expect(audit).to.have.lengthOf(1);
    expect(audit[0]).to.deep.include({
      actor: 'grace',
      action: 'corrected',
      details: { day, number: 1, count: 1 },
    });
  });

  it('offers no erasure if a bound store has no erasure', async () => {
    const settings = { ...QUIET, store: 'memory:' };
    for (const [isBound, status] of [
      [false, 200],
      [true, 404],
    ] as const) {
      const container = containerOf(settings);
      if (isBound) rebindParts(container, { days: new MemoryDayStore() });
      await using server = container.get(serviceId('server'));
      await server.open();
      const response = await fetch(`${server.url}/api/erasures`);
      await response.text();
      expect(response.status).to.equal(status);
    }
  });
});
