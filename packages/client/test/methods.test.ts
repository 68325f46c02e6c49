import { expect } from 'chai';
import type { TallybookClient } from '../src/index.js';
import { Exchange } from './fixtures/exchange.js';

const ID = '04A2B3C4D5';
const RANGE = { from: 1, to: 2 };
const FORGOTTEN = { action: 'add', day: 3, id: ID, at: 4, reason: 'Forgot' } as const;
const BATCH = {
  ...{ run: 'a', after: 0, through: 0, items: [] },
  status: { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' },
};

type Calls = readonly (readonly [asks: string, call: (client: TallybookClient) => Promise<unknown>])[];

/** The request, and the call that sends it. */
const reading: Calls = [
  ['api/mapping', (client) => client.readMapping()],
  ['api/mappings', (client) => client.listNamedTags()],
  [`api/mapping?id=${ID}&format=hex`, (client) => client.readName(ID)],
  ['api/id?text=0563537489', (client) => client.readId('0563537489')],
  ['api/id?text=0563537489&format=dec10', (client) => client.readId('0563537489', { format: 'dec10' })],
  ['api/unnamed', (client) => client.listUnnamed()],
  ['api/unnamed?days=7', (client) => client.listUnnamed({ days: 7 })],
  ['api/day?day=3', (client) => client.readDay({ day: 3 })],
  ['api/day?timestamp=3', (client) => client.readDay({ timestamp: 3 })],
  ['api/day?day=3&expand=entries', (client) => client.readDayEntries({ day: 3 })],
  ['api/today', (client) => client.readToday()],
  ['api/days?from=1&to=2', (client) => client.listDays(RANGE)],
  ['api/corrections?from=1&to=2', (client) => client.listCorrections(RANGE)],
  [`api/scans?day=3&id=${ID}&format=hex`, (client) => client.listScans({ day: 3, id: ID })],
  ['api/table?from=1&to=2', (client) => client.readTable(RANGE)],
  ['api/table?from=1&to=2', (client) => client.readTable(RANGE, { pseudonyms: false })],
  ['api/table?from=1&to=2&pseudonyms=1', (client) => client.readTable(RANGE, { pseudonyms: true })],
  ['api/time', (client) => client.readTime()],
  ['api/provisional', (client) => client.listProvisional()],
  ['api/backlog', (client) => client.readBacklog()],
  ['api/readers', (client) => client.listReaders()],
  ['api/sync/changes', (client) => client.readSyncChanges()],
  [
    'api/sync/changes?origin=a&after=7&wait=5',
    (client) => client.readSyncChanges({ origin: 'a', cursor: 7 }, { waitSeconds: 5 }),
  ],
  ['api/stations', (client) => client.listStations()],
  ['api/status', (client) => client.readStatus()],
  ['api/audit', (client) => client.readAudit()],
  ['api/audit?after=7&limit=9', (client) => client.readAudit({ after: 7, limit: 9 })],
  ['api/health', (client) => client.readHealth()],
  ['api/session', (client) => client.readSession()],
  ['api/users', (client) => client.listUsers()],
  ['api/credentials', (client) => client.listCredentials()],
  ['api/credentials', (client) => client.listCredentials({ all: false })],
  ['api/credentials?all=1', (client) => client.listCredentials({ all: true })],
  ['api/passkeys', (client) => client.listPasskeys()],
  ['api/passkeys', (client) => client.listPasskeys({ all: false })],
  ['api/passkeys?all=1', (client) => client.listPasskeys({ all: true })],
  ['api/erasures', (client) => client.listErasures()],
  ['api/retention', (client) => client.readRetention()],
  ['api/retention?keep=24months', (client) => client.readRetention({ keep: '24months' })],
  ['api/openapi.json', (client) => client.readOpenApi()],
];

/** Request and body, and the call that sends them. */
const sending: Calls = [
  [
    `api/corrections {"corrections":[${JSON.stringify({ ...FORGOTTEN, format: 'hex' })}]}`,
    (client) => client.correct([FORGOTTEN]),
  ],
  [
    'api/corrections/decision {"number":1,"approve":true}',
    (client) => client.decideCorrection({ number: 1, approve: true }),
  ],
  [
    `api/readers/front%20gate/readings {"run":"b","readings":[{"id":"${ID}","n":1}]}`,
    (client) => client.pushReadings('front gate', [{ id: ID, n: 1 }], { run: 'b' }),
  ],
  [
    `api/readers/gate/readings {"readings":[{"id":"${ID}","n":1}]}`,
    (client) => client.pushReadings('gate', [{ id: ID, n: 1 }]),
  ],
  [`api/sync ${JSON.stringify(BATCH)}`, (client) => client.sync(BATCH)],
  ['api/session {"name":"ada","password":"secret"}', (client) => client.signIn('ada', 'secret')],
  ['api/session/provider/answer {"answer":"code=1"}', (client) => client.finishAtProvider('code=1')],
  [
    'api/setup {"code":"1234","name":"ada","password":"secret"}',
    (client) => client.setUp('1234', 'ada', 'secret'),
  ],
  [
    'api/tokens {"label":"wall","role":"kiosk","days":30}',
    (client) => client.createToken({ label: 'wall', role: 'kiosk', days: 30 }),
  ],
  ['api/session/passkey/challenge {}', (client) => client.challengePasskey()],
  ['api/session/passkey {"id":"AA"}', (client) => client.signInWithPasskey({ id: 'AA' })],
  ['api/passkeys/challenge {"password":"secret"}', (client) => client.requestPasskey('secret')],
  [`api/erasures {"ids":["${ID}"],"format":"hex"}`, (client) => client.erase([ID])],
  [
    `api/erasures {"ids":["${ID}"],"dryRun":true,"format":"hex"}`,
    (client) => client.erase([ID], { dryRun: true }),
  ],
  ['api/retention {}', (client) => client.applyRetention()],
  [
    'api/retention {"dryRun":false,"confirm":true}',
    (client) => client.applyRetention({ dryRun: false, confirm: true }),
  ],
];

/** The request that removes something, and the call that sends it. */
const removing: Calls = [
  [`api/mapping?id=${ID}&format=hex`, (client) => client.removeName(ID)],
  ['api/day?day=3', (client) => client.removeDay({ day: 3 })],
  ['api/stations?name=hall', (client) => client.removeStation('hall')],
  ['api/users?name=ada', (client) => client.removeUser('ada')],
  ['api/credentials?id=one', (client) => client.revokeCredential('one')],
  ['api/passkeys?id=one', (client) => client.removePasskey('one')],
];

describe('a method of TallybookClient', () => {
  for (const [asks, call] of reading) {
    it(`reads ${asks}, and gives the answer`, async () => {
      const exchange = Exchange.json({ here: true });
      expect(await call(exchange.client)).to.deep.equal({ here: true });
      expect(exchange.asked).to.deep.equal([`GET http://pi/${asks}`]);
    });
  }

  for (const [asks, call] of sending) {
    it(`sends ${asks}, and gives the answer`, async () => {
      const exchange = Exchange.json({ done: true });
      expect(await call(exchange.client)).to.deep.equal({ done: true });
      expect(exchange.asked).to.deep.equal([`POST http://pi/${asks}`]);
      expect(exchange.headers.get('Content-Type')).to.equal('application/json');
    });
  }

  for (const [asks, call] of removing) {
    it(`removes ${asks}, and says whether it was there`, async () => {
      const exchange = Exchange.empty();
      expect(await call(exchange.client)).to.equal(true);
      expect(exchange.asked).to.deep.equal([`DELETE http://pi/${asks}`]);
      const headers = { 'Content-Type': 'application/problem+json' };
      const without = new Exchange(() => new Response('{}', { status: 404, headers }));
      expect(await call(without.client)).to.equal(false);
    });
  }

  it('gives a name to a tag, or adds a user, and says whether there was one before', async () => {
    for (const [status, named, added] of [
      [201, 'added', 'added'],
      [200, 'replaced', 'changed'],
    ] as const) {
      const exchange = Exchange.empty(status);
      expect(await exchange.client.assignName(ID, { first: 'Ada', last: 'Lovelace' })).to.equal(named);
      expect(await exchange.client.putUser({ name: 'ada', role: 'desk', isNew: true })).to.equal(added);
      expect(exchange.asked).to.deep.equal([
        `POST http://pi/api/mapping {"id":"${ID}","name":{"first":"Ada","last":"Lovelace"},"format":"hex"}`,
        'POST http://pi/api/users {"name":"ada","role":"desk","isNew":true}',
      ]);
      expect(exchange.headers.get('Content-Type')).to.equal('application/json');
    }
  });

  it('imports a list, or only asks for its changes, and gives the report', async () => {
    const report = { added: 1 };
    const exchange = Exchange.json(report);
    expect(await exchange.client.importNames('x')).to.deep.equal(report);
    await exchange.client.importNames('x', { dryRun: true });
    await exchange.client.importNames('x', { dryRun: false });
    const choices = { encoding: 'macintosh', columns: { id: 'Karte', first: 3, last: 0 } };
    await exchange.client.importNames('x', choices);
    expect(exchange.asked).to.deep.equal([
      'POST http://pi/api/people x',
      'POST http://pi/api/people?dry-run=1 x',
      'POST http://pi/api/people x',
      'POST http://pi/api/people?encoding=macintosh&id-column=Karte&first-column=3&last-column=0 x',
    ]);
    expect(exchange.headers.get('Content-Type')).to.equal('text/csv');
  });

  it('sets the time, with a confirmation if it is given', async () => {
    const exchange = Exchange.empty();
    await exchange.client.setTime(5);
    await exchange.client.setTime(5, { confirm: true });
    expect(exchange.asked).to.deep.equal([
      'POST http://pi/api/time {"time":5}',
      'POST http://pi/api/time {"time":5,"confirm":true}',
    ]);
  });

  it('has a publisher send again', async () => {
    const exchange = Exchange.empty();
    await exchange.client.sendAgain('home');
    expect(exchange.asked).to.deep.equal(['POST http://pi/api/publishers/send-again {"name":"home"}']);
  });

  it('changes the own password, and ends the session', async () => {
    const exchange = Exchange.empty();
    await exchange.client.changePassword('old', 'new');
    await exchange.client.signOut();
    expect(exchange.asked).to.deep.equal([
      'POST http://pi/api/password {"current":"old","password":"new"}',
      'DELETE http://pi/api/session',
    ]);
  });

  it('gives the address where the browser signs in at a provider, and signs out there', async () => {
    const exchange = Exchange.json({ url: 'https://login.example.org/' });
    expect(await exchange.client.beginAtProvider()).to.equal('https://login.example.org/');
    expect(await exchange.client.readProviderSignOut()).to.equal('https://login.example.org/');
    expect(exchange.asked).to.deep.equal([
      'POST http://pi/api/session/provider {}',
      'GET http://pi/api/session/provider/sign-out',
    ]);
  });

  it('adds a passkey, and gives its id', async () => {
    const exchange = Exchange.json({ id: 'one' });
    expect(await exchange.client.addPasskey('phone', { id: 'AA' })).to.equal('one');
    expect(exchange.asked).to.deep.equal([
      'POST http://pi/api/passkeys {"label":"phone","answer":{"id":"AA"}}',
    ]);
  });

  it('asks for measurements as text, and gives the text', async () => {
    const exchange = new Exchange(() => new Response('up 1\n'));
    expect(await exchange.client.readMetrics()).to.equal('up 1\n');
    expect(exchange.headers.get('Accept')).to.equal('text/plain');
    expect(exchange.asked).to.deep.equal(['GET http://pi/api/metrics']);
  });

  it('asks whether the service is ready, and whether it is alive', async () => {
    const exchange = Exchange.json({});
    expect(await exchange.client.isReady()).to.equal(true);
    expect(await exchange.client.isLive()).to.equal(true);
    expect(exchange.asked).to.deep.equal(['GET http://pi/api/health/ready', 'GET http://pi/api/health/live']);
  });

  it('links to files with their options', () => {
    const { client } = Exchange.empty();
    expect(client.exportAllUrl()).to.equal('http://pi/api/export');
    expect(client.exportPersonUrl(ID)).to.equal(`http://pi/api/person/data?id=${ID}&format=hex`);
    expect(client.exportCsvUrl(RANGE)).to.equal('http://pi/api/csv?from=1&to=2');
    expect(client.exportCsvUrl(RANGE, { bom: true })).to.equal('http://pi/api/csv?from=1&to=2&bom=yes');
    expect(client.exportCsvUrl(RANGE, { bom: false })).to.equal('http://pi/api/csv?from=1&to=2&bom=no');
    expect(client.exportCsvUrl(RANGE, { pseudonyms: false })).to.equal('http://pi/api/csv?from=1&to=2');
    expect(client.exportCsvUrl(RANGE, { pseudonyms: true, delimiter: 'tab', profile: 'data' })).to.equal(
      'http://pi/api/csv?from=1&to=2&pseudonyms=1&delimiter=tab&profile=data',
    );
    expect(client.exportXlsxUrl(RANGE, { shape: 'entries', lang: 'de', zone: 'Europe/Berlin' })).to.equal(
      'http://pi/api/xlsx?from=1&to=2&shape=entries&lang=de&zone=Europe%2FBerlin',
    );
  });
});
