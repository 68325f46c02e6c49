import { expect } from 'chai';
import { TallybookClient } from '../../src/index.js';
import { caught } from '../fixtures/caught.js';

const ID = '04A2B3C4D5';
const ADA = { first: 'Ada', last: 'Lovelace' };
const RANGE = { from: 1, to: 2 };

/** A request as it was made, and the answer to it. */
class Exchange {
  readonly asked: string[] = [];
  headers = new Headers();
  readonly client: TallybookClient;

  constructor(answer: () => Response) {
    const send = (
      url: string | URL | Request,
      { method = 'GET', body, headers }: RequestInit = {},
    ): Promise<Response> => {
      this.headers = new Headers(headers);
      this.asked.push([method, url as string, ...(typeof body === 'string' ? [body] : [])].join(' '));
      return Promise.resolve(answer());
    };
    this.client = new TallybookClient('http://pi/', { fetch: send });
  }
}

const json = (value: unknown, status = 200): Response => Response.json(value, { status });
const empty = (status = 200): Response => new Response('', { status });

describe('TallybookClient', () => {
  const read: readonly (readonly [asks: string, call: (client: TallybookClient) => Promise<unknown>])[] = [
    ['api/mapping', (client) => client.readMapping()],
    ['api/mappings', (client) => client.listNamedTags()],
    [`api/mapping?id=${ID}`, (client) => client.readName(ID)],
    ['api/unnamed', (client) => client.listUnnamed()],
    ['api/unnamed?days=7', (client) => client.listUnnamed({ days: 7 })],
    ['api/day?day=3', (client) => client.readDay({ day: 3 })],
    ['api/day?timestamp=3', (client) => client.readDay({ timestamp: 3 })],
    ['api/day?day=3&expand=entries', (client) => client.readDayEntries({ day: 3 })],
    ['api/today', (client) => client.readToday()],
    ['api/days?from=1&to=2', (client) => client.listDays(RANGE)],
    ['api/table?from=1&to=2', (client) => client.readTable(RANGE)],
    ['api/time', (client) => client.readTime()],
    ['api/provisional', (client) => client.listProvisional()],
    ['api/backlog', (client) => client.readBacklog()],
    ['api/readers', (client) => client.listReaders()],
    ['api/status', (client) => client.readStatus()],
    ['api/openapi.json', (client) => client.readOpenApi()],
  ];
  for (const [asks, call] of read) {
    it(`reads ${asks}, and gives what is there`, async () => {
      const exchange = new Exchange(() => json({ here: true }));
      expect(await call(exchange.client)).to.deep.equal({ here: true });
      expect(exchange.asked).to.deep.equal([`GET http://pi/${asks}`]);
    });
  }

  it('asks for all of it again where the service gave it no tag', async () => {
    const exchange = new Exchange(() => json({}));
    const known = await exchange.client.readMapping();
    await exchange.client.readMapping({ known });
    expect(exchange.headers.has('If-None-Match')).to.equal(false);
  });

  it('gives a tag to somebody, and says whether it had a name before', async () => {
    for (const [status, outcome] of [
      [201, 'added'],
      [200, 'replaced'],
    ] as const) {
      const exchange = new Exchange(() => empty(status));
      expect(await exchange.client.assignName(ID, ADA)).to.equal(outcome);
      expect(exchange.asked).to.deep.equal([
        `POST http://pi/api/mapping {"id":"${ID}","name":{"first":"Ada","last":"Lovelace"}}`,
      ]);
      expect(exchange.headers.get('Content-Type')).to.equal('application/json');
    }
  });

  it('removes a name and a day', async () => {
    const exchange = new Exchange(empty);
    expect(await exchange.client.removeName(ID)).to.equal(true);
    expect(await exchange.client.removeDay({ day: 3 })).to.equal(true);
    expect(exchange.asked).to.deep.equal([
      `DELETE http://pi/api/mapping?id=${ID}`,
      'DELETE http://pi/api/day?day=3',
    ]);
  });

  it('imports a list, or only asks what it would change, and gives the report', async () => {
    const report = { added: 1 };
    const exchange = new Exchange(() => json(report));
    expect(await exchange.client.importNames('x')).to.deep.equal(report);
    await exchange.client.importNames('x', { dryRun: true });
    await exchange.client.importNames('x', { dryRun: false });
    expect(exchange.asked).to.deep.equal([
      'POST http://pi/api/people x',
      'POST http://pi/api/people?dry-run=1 x',
      'POST http://pi/api/people x',
    ]);
    expect(exchange.headers.get('Content-Type')).to.equal('text/csv');
  });

  it('sets the time, and says so if that is confirmed', async () => {
    const exchange = new Exchange(empty);
    await exchange.client.setTime(5);
    await exchange.client.setTime(5, { confirm: true });
    expect(exchange.asked).to.deep.equal([
      'POST http://pi/api/time {"time":5}',
      'POST http://pi/api/time {"time":5,"confirm":true}',
    ]);
  });

  it('links to files, with what they are to be like', () => {
    const { client } = new Exchange(empty);
    expect(client.exportAllUrl()).to.equal('http://pi/api/export');
    expect(client.exportCsvUrl(RANGE)).to.equal('http://pi/api/csv?from=1&to=2');
    expect(client.exportCsvUrl(RANGE, { bom: true })).to.equal('http://pi/api/csv?from=1&to=2&bom=yes');
    expect(client.exportCsvUrl(RANGE, { bom: false })).to.equal('http://pi/api/csv?from=1&to=2&bom=no');
    expect(client.exportXlsxUrl(RANGE, { shape: 'entries', lang: 'de', zone: 'Europe/Berlin' })).to.equal(
      'http://pi/api/xlsx?from=1&to=2&shape=entries&lang=de&zone=Europe%2FBerlin',
    );
  });

  it('gives the file that came, which may have no name and no content', async () => {
    const named = new Response('a', {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="a.csv"',
      },
    });
    const nameless = new Response(null, { headers: { 'Content-Type': 'text/csv' } });
    const answers = [named, nameless];
    const { client } = new Exchange(() => answers.shift() ?? empty());
    const first = await client.exportCsv(RANGE);
    expect([first.fileName, first.type]).to.deep.equal(['a.csv', 'text/csv; charset=utf-8']);
    const second = await client.exportCsv(RANGE);
    expect([second.fileName, second.type]).to.deep.equal([undefined, 'text/csv']);
    expect(await new Response(second.stream).text()).to.equal('');
  });

  it('takes nothing without a type for an answer, and says what it got', async () => {
    const nothing = new Response(new Uint8Array());
    const error = await caught(new Exchange(() => nothing).client.readMapping());
    expect(error.message).to.equal('this is not Tallybook: it sent nothing, not application/json');
    const lost = await caught(new Exchange(() => new Response('', { status: 404 })).client.readName(ID));
    expect(lost.message).to.equal('this is not Tallybook: it sent 404 without saying what is not there');
  });

  it('reads a problem of any charset', async () => {
    const problem = (): Response =>
      new Response('{"detail":"no such tag"}', {
        status: 400,
        headers: { 'Content-Type': 'application/problem+json; charset=utf-8' },
      });
    expect(await caught(new Exchange(problem).client.readMapping())).to.include({ message: 'no such tag' });
  });

  it('keeps why there was no answer in time', async () => {
    const cause = new Error('aborted');
    const client = new TallybookClient('http://pi/', {
      timeoutMs: 1,
      fetch: (_url, { signal } = {}) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(cause))),
    });
    expect(await caught(client.readMapping())).to.have.property('cause', cause);
  });
});
