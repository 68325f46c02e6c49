import { buffer, text } from 'node:stream/consumers';
import { expect } from 'chai';
import { RunningService } from '../../../http-koa/test/fixtures/running-service.js';
import { TallybookClient } from '../../src/index.js';
import { caught } from '../fixtures/caught.js';
import { clientOf } from '../fixtures/connected.js';
import { StandIn } from '../fixtures/stand-in.js';

const RANGE = { from: 1_763_424_000, to: 1_763_800_000 };

/** A service with a record of Ada on one day. */
async function startService(): Promise<RunningService> {
  const service = await RunningService.start();
  await service.tap('04A2B3C4D5');
  await clientOf(service).post('/api/mapping', {
    body: { id: '04A2B3C4D5', format: 'hex', name: { first: 'Ada', last: 'Lovelace' } },
  });
  return service;
}

describe('a file', () => {
  it('comes as a stream with its name and type', async () => {
    await using service = await startService();
    const backup = await clientOf(service).download('/api/export');
    expect(backup.fileName).to.match(/^tallybook-.*\.jsonl$/);
    expect(backup.type).to.equal('application/jsonl');
    expect(await text(backup.stream)).to.match(/"kind":"end"[^\n]*\n$/);

    const sheet = await clientOf(service).download('/api/csv', {
      query: { ...RANGE, profile: 'data', shape: 'entries' },
    });
    expect(sheet.fileName).to.match(/\.csv$/);
    expect(await text(sheet.stream)).to.include('04A2B3C4D5');

    const workbook = await clientOf(service).download('/api/xlsx', { query: RANGE });
    expect(workbook.fileName).to.match(/\.xlsx$/);
    expect((await buffer(workbook.stream)).subarray(0, 2).toString()).to.equal('PK');
  });

  it('is the same behind its link', async () => {
    await using service = await startService();
    const client = clientOf(service);
    const options = { lang: 'de', bom: 'yes', delimiter: 'tab', zone: 'Europe/Berlin' } as const;
    const { stream } = await client.download('/api/csv', { query: { ...RANGE, ...options } });
    const linked = await fetch(client.url('/api/csv', { query: { ...RANGE, ...options } }));
    expect((await buffer(stream)).equals(Buffer.from(await linked.arrayBuffer()))).to.equal(true);
  });

  it('may come without a name', async () => {
    await using service = await StandIn.answer(200, { 'Content-Type': 'application/jsonl' });
    const { fileName, stream } = await new TallybookClient(service.url).download('/api/export');
    expect([fileName, await text(stream)]).to.deep.equal([undefined, '']);
  });

  it('fails if it breaks off or is aborted', async () => {
    await using service = await StandIn.start(({ url }, response) => {
      response.writeHead(200, { 'Content-Type': 'application/jsonl' });
      response.write('{}\n', () => (url === '/cut/api/export' ? response.destroy() : undefined));
    });
    const cut = await new TallybookClient(`${service.url}/cut/`).download('/api/export');
    expect(await failed(text(cut.stream))).to.equal(true);
    const controller = new AbortController();
    const aborted = await new TallybookClient(service.url).download('/api/export', {
      signal: controller.signal,
    });
    controller.abort();
    expect(await failed(text(aborted.stream))).to.equal(true);
  });

  it('is refused like other requests', async () => {
    await using service = await startService();
    const error = await caught(
      clientOf(service).download('/api/xlsx', { query: { ...RANGE, zone: 'Middle/Earth' } }),
    );
    expect(error).to.include({ kind: 'http', status: 400 });
  });
});

function failed(reading: Promise<unknown>): Promise<boolean> {
  return reading.then(
    () => false,
    () => true,
  );
}
