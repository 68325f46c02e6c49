import { expect } from 'chai';
import { migratePostgres } from '@tallybook/store-postgres';
import {
  findPrograms,
  NOT_INSTALLED,
  TestServer,
} from '../../../store-postgres/test/fixtures/postgres-server.js';
import { call } from '../fixtures/processes/called.js';
import { EventStream } from '../fixtures/http/event-stream.js';
import { TallybookProcess } from '../fixtures/processes/server-process.js';

const ADA = '04A2B3C4D5';
const now = Math.floor(Date.now() / 1_000);
/** Time of a forgotten tap, possibly yesterday. */
const at = now - 60;
const day = Math.floor(at / 86_400);
const range = `from=${now - 86_400}&to=${now}`;
const name = { first: 'Ada', last: 'Lovelace' };
const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };

/** Requests while the database is away: `METHOD PATH`, and the body. */
const asked: readonly (readonly [request: string, body?: unknown])[] = [
  ['GET /api/mapping'],
  ['GET /api/mappings'],
  ['POST /api/mapping', { id: ADA, name }],
  [`DELETE /api/mapping?id=${ADA}`],
  ['GET /api/unnamed'],
  [`GET /api/day?timestamp=${now}`],
  [`GET /api/day?timestamp=${now}&expand=entries`],
  [`DELETE /api/day?timestamp=${now}`],
  [`GET /api/days?${range}`],
  [`GET /api/table?${range}`],
  [`GET /api/csv?${range}`],
  [`GET /api/xlsx?${range}`],
  ['GET /api/time'],
  [`GET /api/corrections?${range}`],
  ['POST /api/corrections', { action: 'add', day, id: ADA, at, reason: 'Forgot to tap' }],
  ['POST /api/corrections/decision', { number: 1, approve: true }],
  [`GET /api/scans?id=${ADA}&timestamp=${now}`],
  ['GET /api/provisional'],
  ['GET /api/backlog'],
  ['GET /api/readers'],
  ['POST /api/readers/door/readings', { id: ADA }],
  ['POST /api/sync', { run: 'run', after: 0, through: 0, items: [], status }],
  ['GET /api/sync/changes'],
  ['GET /api/sync/snapshot'],
  ['GET /api/stations'],
  ['DELETE /api/stations?name=hall'],
  ['GET /api/status'],
  ['GET /api/session'],
  ['POST /api/session', { name: 'ada', password: 'correct horse battery' }],
  ['POST /api/setup', { code: 'x', name: 'bob', password: 'correct horse battery' }],
  ['GET /api/users'],
  ['POST /api/users', { name: 'bob', role: 'viewer', password: 'correct horse battery' }],
  ['DELETE /api/users?name=bob'],
  ['GET /api/credentials'],
  ['DELETE /api/credentials?id=0011223344556677'],
  ['POST /api/tokens', { label: 'gate', role: 'station' }],
  ['GET /api/audit'],
  ['GET /api/erasures'],
  ['POST /api/erasures', { ids: [ADA] }],
  ['GET /api/retention'],
  ['POST /api/retention', {}],
  [`GET /api/person/data?id=${ADA}`],
  ['GET /api/health'],
  ['GET /api/health/live'],
  ['GET /api/health/ready'],
  ['GET /api/metrics'],
  ['GET /api/export'],
  ['GET /api/openapi.json'],
];

describe('A service whose PostgreSQL is stopped', () => {
  let database: TestServer;
  let service: TallybookProcess;
  let url = '';
  const tokens = new Map<string, string>();

  before(async function () {
    if (findPrograms() === undefined) this.skip(NOT_INSTALLED);
    database = await TestServer.start();
    await migratePostgres(database.url);
    service = new TallybookProcess(
      ...['serve', '--store', database.url, '--port', '0', '--clock', 'trusted', '--keep', '24months'],
      ...['--reader', 'stdin:', '--reader', 'http:door', '--repeat-window', '0s'],
    );
    url = await service.url();
    for (const role of ['admin', 'station'] as const) {
      const { output } = await call('token', 'add', role, '--role', role, '--store', database.url);
      tokens.set(role, output.trim());
    }
  });

  after(async () => {
    await (service as TallybookProcess | undefined)?.kill();
    await (database as TestServer | undefined)?.stop();
  });

  async function ask(request: string, body?: unknown): Promise<Response> {
    const [method = '', path = ''] = request.split(' ');
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${tokens.get(path.startsWith('/api/sync') ? 'station' : 'admin') ?? ''}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  }

  it('answers 503 with Retry-After, never 500, keeps its event streams, and recovers by itself', async () => {
    await ask('POST /api/mapping', { id: ADA, name });
    const stream = await EventStream.open(url);
    service.tap(ADA);
    await stream.until(({ data }) => data.includes(ADA));
    await database.end('SIGINT');
    const inMemory: string[] = [];
    for (const [request, body] of asked) {
      const response = await ask(request, body);
      const text = await response.text();
      if (response.status === 503 && !request.startsWith('GET /api/health')) {
        expect(response.headers.get('retry-after'), request).to.match(/^[1-9]\d?$/);
        expect(JSON.parse(text), request)
          .to.have.property('code')
          .that.matches(/^STORE_(?:READ|WRITE)_FAILED$/);
      } else inMemory.push(`${request.split('?')[0] ?? ''} ${response.status}`);
    }
    expect(inMemory).to.deep.equal([
      'GET /api/time 200',
      'GET /api/backlog 200',
      'GET /api/readers 200',
      // The answer says that the reading waits in memory.
      'POST /api/readers/door/readings 200',
      'GET /api/status 200',
      'GET /api/session 200',
      'POST /api/setup 403',
      'GET /api/users 200',
      'GET /api/credentials 200',
      'GET /api/health 200',
      'GET /api/health/live 200',
      'GET /api/health/ready 503',
      'GET /api/metrics 200',
      'GET /api/openapi.json 200',
    ]);
    await database.resume();
    service.tap('0011223344');
    await stream.until(({ event, data }) => event === 'attendance' && data.includes('0011223344'));
    stream.close();
    expect((await ask('GET /api/mapping')).status).to.equal(200);
  });
});
