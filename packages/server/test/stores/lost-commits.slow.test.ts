import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { migratePostgres } from '@tallybook/store-postgres';
import { Receiver } from '../../../outputs/test/webhook/fixtures/receiver.js';
import {
  findPrograms,
  NOT_INSTALLED,
  TestServer,
} from '../../../store-postgres/test/fixtures/postgres-server.js';
import { EventStream } from '../fixtures/http/event-stream.js';
import { call } from '../fixtures/processes/called.js';
import { until } from '../fixtures/processes/centre.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import type { Payload } from '../fixtures/processes/webhook-service.js';
import { SECRET } from '../fixtures/processes/webhook-service.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const [ADA, BEN, CEM, DAN] = ['04A2B3C4D5', '04A2B3C4D6', '04A2B3C4D7', '04A2B3C4D8'];
const STATION_TAG = '04A2B3C4D9';

describe('A service whose PostgreSQL loses commits', () => {
  const processes = runningProcesses();
  const folder = temporaryFolder();
  let database: TestServer;
  let service: TallybookProcess;
  let receiver: Receiver;
  let url = '';
  let token = '';

  before(async function () {
    if (findPrograms() === undefined) this.skip(NOT_INSTALLED);
    database = await TestServer.start();
    await migratePostgres(database.url);
  });

  beforeEach(async () => {
    receiver = await Receiver.create();
    await writeFile(folder.path('secret'), `${SECRET}\n`, { mode: 0o600 });
    const publisher = `${receiver.url}?secret-file=${folder.path('secret')}&name=office`;
    service = start('--store', database.url, '--publish', publisher);
    url = await service.url();
    const added = await call('token', 'add', 'admin', '--role', 'admin', '--store', database.url);
    token = added.output.trim();
  });

  afterEach(() => receiver.dispose());

  after(async () => {
    await (database as TestServer | undefined)?.stop();
  });

  function start(...settings: readonly string[]): TallybookProcess {
    const usual = ['--port', '0', '--clock', 'trusted', '--repeat-window', '0s', '--reader', 'stdin:'];
    return processes.start('serve', ...usual, ...settings);
  }

  async function ask(method: string, path: string, body?: unknown, headers = {}): Promise<Response> {
    return fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Asks until the database is back. */
  async function does(method: string, path: string, body?: unknown): Promise<void> {
    await until(async () => {
      const answer = await ask(method, path, body);
      await answer.arrayBuffer();
      if (answer.status !== 503) expect(answer.status, `${method} ${path}`).to.be.within(200, 204);
      return answer.status !== 503;
    });
  }

  const name = (id: string, first: string): Promise<void> =>
    does('POST', '/api/mapping', { id, name: { first, last: '' } });
  const tagsOfToday = async (): Promise<readonly string[]> => {
    const answer = await ask('GET', `/api/day?timestamp=${Math.floor(Date.now() / 1_000)}`);
    if (answer.status !== 200) return [];
    return ((await answer.json()) as { readonly ids: readonly string[] }).ids;
  };
  async function tap(id: string): Promise<void> {
    service.tap(id);
    await until(async () => (await tagsOfToday()).includes(id));
  }

  it('serves what was acknowledged since, resets streams, stations and webhooks, and says so', async () => {
    const { output } = await call('token', 'add', 'hall', '--role', 'station', '--store', database.url);
    await writeFile(folder.path('token'), output.trim(), { mode: 0o600 });
    const station = start(
      ...['--store', `level:${folder.path('station')}`, '--upstream', url],
      ...['--upstream-token-file', folder.path('token')],
    );
    await station.url();
    await name(ADA, 'Ada');
    await tap(ADA);
    const made = await ask('POST', '/api/tokens', { label: 'spare', role: 'viewer' });
    const spare = (await made.json()) as { readonly id: string; readonly token: string };
    const stream = await EventStream.open(url);
    let lostTag: string | null = null;
    await database.losing(async () => {
      await name(BEN, 'Ben');
      await tap(BEN);
      await does('DELETE', `/api/credentials?id=${spare.id}`);
      await does('POST', '/api/erasures', { ids: [ADA] });
      station.tap(STATION_TAG);
      await until(async () => (await tagsOfToday()).includes(STATION_TAG));
      lostTag = (await ask('GET', '/api/mapping')).headers.get('etag');
      await stream.until(({ data }) => data.includes(BEN));
    });
    await name(CEM, 'Cem');
    await tap(DAN);
    const mapping = await ask('GET', '/api/mapping', undefined, { 'if-none-match': lostTag });
    expect(mapping.status).to.equal(200);
    // The station, which has read them, may already have sent Ben's name and Ada's erasure again.
    expect(await mapping.json()).to.include.keys(CEM);
    await stream.until(({ event, data }) => event === 'reset' && data.includes('ahead'));
    await stream.until(({ event, data }) => event === 'attendance' && data.includes(DAN));
    // The removal of the token was lost, so it is valid again, and its holder is not locked out in memory alone.
    await does('POST', '/api/tokens', { label: 'other', role: 'viewer' });
    const asSpare = await ask('GET', '/api/mapping', undefined, { authorization: `Bearer ${spare.token}` });
    expect(asSpare.status).to.equal(200);
    // The station sends again what the centre has lost.
    await until(async () => (await tagsOfToday()).includes(STATION_TAG));
    await until(() =>
      Promise.resolve(
        receiver.requests.values.some(({ body }) => (JSON.parse(body) as Payload).data.id === DAN),
      ),
    );
    await service.says(/has lost acknowledged writes/);
    expect(await (await ask('GET', '/api/health')).text()).to.match(
      /"part":"store","status":"warn","detail":"the database has lost acknowledged writes/,
    );
    stream.close();
  });
});
