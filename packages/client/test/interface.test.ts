import { openApiDocument } from '../../http-koa/test/fixtures/open-api-document.js';
import { expect } from 'chai';
import { documentedPath, expectDocumented } from '../../http-koa/test/fixtures/documented.js';
import { RunningService, ScriptedIdentityProvider } from '../../http-koa/test/fixtures/running-service.js';
import { TallybookClient } from '../src/index.js';

const ID = '04A2B3C4D5';
const NAME = { first: 'Ada', last: 'Lovelace' };
const PASSWORD = 'correct horse battery';
const RANGE = { from: 1_763_424_000, to: 1_763_800_000 };

const FORGOTTEN = { action: 'add', day: 20_413, id: ID, at: 1_763_690_000, reason: 'Forgot to tap' } as const;

type Exercise = (client: TallybookClient, fetch: Fetch) => Promise<unknown>;
type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Calls of each method, in this order, with all its parameters. A missing method does not compile. */
const exercises: Readonly<Record<keyof TallybookClient, Exercise>> = {
  assignName: (client) => client.assignName(ID, NAME),
  readMapping: (client) => client.readMapping(),
  listNamedTags: (client) => client.listNamedTags(),
  readName: (client) => client.readName(ID),
  readId: (client) => client.readId('0006547886', { format: 'dec10' }),
  importNames: async (client) => [
    await client.importNames('id,first,last\n0006547886,Ada,Byron', {
      ...{ dryRun: true, format: 'dec10', encoding: 'utf-8', columns: { id: 'id', first: 2, last: 0 } },
    }),
    await client.importNames('{"id":"04A2B3C4D5","first":"Ada","last":"Byron"}'),
  ],
  listUnnamed: (client) => client.listUnnamed({ days: 3660 }),
  readDay: async (client) => [
    await client.readDay({ day: 20_411 }),
    await client.readDay({ timestamp: RANGE.to }),
  ],
  readDayEntries: (client) => client.readDayEntries({ timestamp: RANGE.to }),
  readToday: (client) => client.readToday(),
  correct: (client) => client.correct([FORGOTTEN, { ...FORGOTTEN, action: 'void' }]),
  listCorrections: (client) => client.listCorrections(RANGE),
  decideCorrection: (client) =>
    client
      .decideCorrection({ number: 1, approve: true, reason: 'I saw it' })
      .catch((error: unknown) => expect(error).to.include({ code: 'CORRECTION_CONFLICT' })),
  listScans: async (client) => [
    await client.listScans({ day: 20_413, id: ID }),
    await client.listScans({ timestamp: RANGE.to, id: ID }),
  ],
  listDays: (client) => client.listDays(RANGE),
  readTable: async (client) => [
    await client.readTable(RANGE),
    await client.readTable(RANGE, { pseudonyms: true }),
  ],
  exportCsv: (client) =>
    client.exportCsv(RANGE, {
      shape: 'entries',
      delimiter: 'tab',
      bom: false,
      lang: 'de',
      zone: 'Europe/Berlin',
      profile: 'data',
      pseudonyms: true,
    }),
  exportCsvUrl: (client, fetch) => fetch(client.exportCsvUrl(RANGE, { bom: true })),
  exportXlsx: (client) =>
    client.exportXlsx(RANGE, {
      shape: 'entries',
      lang: 'de',
      zone: 'Europe/Berlin',
      pseudonyms: true,
    }),
  exportXlsxUrl: (client, fetch) => fetch(client.exportXlsxUrl(RANGE)),
  readAudit: (client) => client.readAudit({ after: 0, limit: 1000 }),
  exportAll: (client) => client.exportAll(),
  exportAllUrl: (client, fetch) => fetch(client.exportAllUrl()),
  streamEvents: async (client) => {
    for await (const message of client.streamEvents({ lastEventId: 'a-1' }))
      if (message.kind === 'reset') break;
  },
  readTime: (client) => client.readTime(),
  setTime: (client) => client.setTime(RANGE.to, { confirm: true }),
  listProvisional: (client) => client.listProvisional(),
  readBacklog: (client) => client.readBacklog(),
  listReaders: (client) => client.listReaders(),
  pushReadings: (client) =>
    client.pushReadings('gate', [{ id: ID, n: 1, at: RANGE.to, ageMs: 5 }], { run: 'a' }),
  sync: (client) =>
    client.sync({
      ...{ run: 'a', after: 0, through: 1 },
      items: [{ cursor: 1, kind: 'name', id: ID, name: NAME, stamp: { ms: 1, counter: 0, node: 'a' } }],
      status: { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' },
    }),
  readSyncChanges: (client) => client.readSyncChanges({ origin: 'centre', cursor: 7 }, { waitSeconds: 0 }),
  downloadSyncSnapshot: (client) => client.downloadSyncSnapshot(),
  listStations: (client) => client.listStations(),
  removeStation: (client) => client.removeStation('hall'),
  readStatus: (client) => client.readStatus(),
  sendAgain: refused((client) => client.sendAgain('home')),
  readHealth: (client) => client.readHealth(),
  isReady: (client) => client.isReady(),
  isLive: (client) => client.isLive(),
  readMetrics: (client) => client.readMetrics(),
  exportPerson: (client) => client.exportPerson(ID),
  exportPersonUrl: (client, fetch) => fetch(client.exportPersonUrl(ID)),
  erase: async (client) => [await client.erase([ID], { dryRun: true }), await client.erase(['0102030405'])],
  listErasures: (client) => client.listErasures(),
  readRetention: (client) => client.readRetention({ keep: '24months' }),
  applyRetention: (client) => client.applyRetention({ dryRun: true, confirm: true }),
  readOpenApi: (client) => client.readOpenApi(),
  readSession: (client) => client.readSession(),
  listCredentials: async (client) => [
    await client.listCredentials(),
    await client.listCredentials({ all: true }),
  ],
  revokeCredential: (client) => client.revokeCredential('none'),
  createToken: (client) => client.createToken({ label: 'wall', role: 'kiosk', days: 30 }),
  listUsers: (client) => client.listUsers(),
  removeUser: (client) => client.removeUser('nobody'),
  signIn: refused((client) => client.signIn('ada', 'wrong horse')),
  beginAtProvider: refused((client) => client.beginAtProvider()),
  finishAtProvider: refused((client) => client.finishAtProvider('code=wrong')),
  readProviderSignOut: (client) => client.readProviderSignOut(),
  signOut: (client) => client.signOut(),
  setUp: refused((client) => client.setUp('0', 'ada', PASSWORD)),
  changePassword: refused((client) => client.changePassword(PASSWORD, `${PASSWORD}!`)),
  challengePasskey: refused((client) => client.challengePasskey()),
  signInWithPasskey: refused((client) => client.signInWithPasskey({ id: 'AA' })),
  listPasskeys: async (client) => [await client.listPasskeys(), await client.listPasskeys({ all: true })],
  requestPasskey: refused((client) => client.requestPasskey(PASSWORD)),
  addPasskey: refused((client) => client.addPasskey('phone', {})),
  removePasskey: (client) => client.removePasskey('none'),
  removeName: (client) => client.removeName(ID),
  removeDay: async (client) => [
    await client.removeDay({ day: 20_410 }),
    await client.removeDay({ timestamp: RANGE.to }),
  ],
  // The last call, because afterwards every client must sign in.
  putUser: (client) => client.putUser({ name: 'ada', role: 'admin', password: PASSWORD }),
};

/** A call that the service refuses. */
function refused(call: (client: TallybookClient) => Promise<unknown>): Exercise {
  return async (client) =>
    expect(await call(client).catch((error: unknown) => error)).to.have.property('kind', 'http');
}

/** A request: the operation of the document, and its parameters. */
interface Asked {
  readonly operation: string;
  readonly parameters: readonly string[];
}

/** Forwards requests, compares the answers with the document, and records the operations and parameters. */
function recordInto(asked: Asked[]): Fetch {
  return async (target, { headers: given, ...init } = {}) => {
    const url = new URL(target);
    const method = init.method ?? 'GET';
    const headers = new Headers(given);
    const operation = operations.find(
      ({ verb, path }) => verb === method && path === documentedPath(url.pathname),
    );
    if (operation === undefined) throw new Error(`${method} ${url.pathname} is not in the document`);
    const isNamed = (name: string): boolean => url.searchParams.has(name) || headers.has(name);
    const parameters = [...url.searchParams.keys(), ...operation.headers.filter(isNamed)];
    asked.push({ operation: operation.id, parameters });
    const response = await fetch(url, { ...init, headers });
    if (response.headers.get('content-type') === 'text/event-stream') return response;
    const bytes = await response.arrayBuffer();
    expectDocumented(method, url.pathname, {
      status: response.status,
      headers: response.headers,
      text: new TextDecoder().decode(bytes),
    });
    const { status } = response;
    return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers: response.headers });
  };
}

/** The operations of the document, without `HEAD`, which is `GET` without the body. */
const operations = Object.entries(openApiDocument.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs)
    .filter(([verb]) => verb !== 'head')
    .map(([verb, { operationId, parameters = [] }]) => ({
      id: operationId,
      verb: verb.toUpperCase(),
      path,
      parameters: parameters.filter((parameter) => parameter.in !== 'path').map(({ name }) => name),
      headers: parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    })),
);

/**
 * A service without a trusted clock, with a day, a provisional scan, a scan with an estimated time, and a faulty
 * reader.
 */
async function startService(): Promise<RunningService> {
  const service = await RunningService.start({ provider: new ScriptedIdentityProvider() });
  await service.door.open();
  service.door.unplug();
  await service.tap('0011223344');
  service.clock.setSynchronised(false);
  await service.tap('0011223344');
  await service.attendance.close();
  service.clock.reboot('second', 1_763_800_000);
  service.clock.setSynchronised(true);
  await service.attendance.open();
  service.clock.setSynchronised(false);
  await service.tap('0011223344');
  return service;
}

/** Methods for stations only, also on a service without users. */
const ofStations: ReadonlySet<string> = new Set<keyof TallybookClient>([
  'sync',
  'readSyncChanges',
  'downloadSyncSnapshot',
]);

describe('the methods of TallybookClient', () => {
  // In one test, and not in a hook: mutation testing runs each mutant with the tests that run the mutated line.
  it('request one operation of the OpenAPI document each, and together all operations with all parameters', async () => {
    await using service = await startService();
    const url = `http://127.0.0.1:${service.port}`;
    const { token } = await new TallybookClient(url).createToken({ label: 'hall', role: 'station' });
    const all: Asked[] = [];
    for (const [method, exercise] of Object.entries(exercises)) {
      const asked: Asked[] = [];
      const recorded = recordInto(asked);
      const options = { fetch: recorded as typeof fetch, ...(ofStations.has(method) && { token }) };
      await exercise(new TallybookClient(url, options), recorded);
      expect(new Set(asked.map(({ operation }) => operation)).size, method).to.equal(1);
      all.push(...asked);
    }
    for (const { id, parameters } of operations) {
      const asked = all.filter(({ operation }) => operation === id);
      expect(asked.length, id).to.be.greaterThan(0);
      expect([...new Set(asked.flatMap((each) => each.parameters))], id).to.have.members(parameters);
    }
  });
});
