import { text } from 'node:stream/consumers';
import { isTallybookError, parseTallyId, TallybookError, toDay, type Day } from '@tallybook/domain';
import { BackupReader } from '@tallybook/domain/record';
import { expect } from 'chai';
import { claimedService, cookieOf, signIn } from '../../fixtures/claimed-service.js';
import { fillDays, largeDay } from '../../fixtures/fill-days.js';
import { useService } from '../../fixtures/running-service.js';

const ada = parseTallyId('04A2B3C4D5');
/** Resolves when the store was not read for a while. */
async function stalled(loaded: readonly Day[]): Promise<void> {
  for (let last = -1; last !== loaded.length;) {
    last = loaded.length;
    for (let turn = 0; turn < 1_000; turn++) await new Promise(setImmediate);
  }
}

describe('GET /api/export', () => {
  const service = useService();

  it('gives all data as a backup, in a file with the date', async () => {
    await service.mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
    await service.tap(ada);
    service.clock.setSynchronised(false);
    await service.tap('0006547886');
    const { status, headers, text } = await service.request('/api/export');
    expect(status).to.equal(200);
    expect(headers.get('content-disposition')).to.equal('attachment; filename="tallybook.jsonl"');
    const reader = new BackupReader();
    const kinds = text
      .split('\n')
      .slice(0, -1)
      .map((line) => reader.read(line).kind);
    expect(kinds).to.deep.equal(['tallybook', 'name', 'entry', 'provisional', 'end']);
    expect(reader.finish()).to.deep.equal({ names: 1, entries: 1, corrections: 0, provisional: 1 });
    service.clock.setSynchronised(true);
    const dated = (await service.request('/api/export')).headers.get('content-disposition');
    expect(dated).to.equal('attachment; filename="tallybook-2025-11-21.jsonl"');
  });

  it('has no date in its name if the date cannot be written', async () => {
    for (const seconds of [253_402_300_800, 8_640_000_000_001]) {
      service.clock.set(seconds);
      const { headers } = await service.request('/api/export', { method: 'HEAD' });
      expect(headers.get('content-disposition')).to.equal('attachment; filename="tallybook.jsonl"');
    }
  });

  it('answers HEAD without reading the store', async () => {
    const [before, namesBefore] = [service.days.reads, service.mapping.reads];
    const { status, headers } = await service.request('/api/export', { method: 'HEAD' });
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/jsonl');
    expect([service.days.reads, service.mapping.reads]).to.deep.equal([before, namesBefore]);
  });

  it('is a 500 when the store cannot be read, which is reported', async () => {
    service.mapping.failure = new TallybookError('STORE_READ_FAILED', 'the card is gone');
    const { status, headers, text } = await service.request('/api/export');
    expect([status, text]).to.deep.equal([500, 'Internal server error']);
    expect(headers.has('content-disposition')).to.equal(false);
    expect(isTallybookError(service.reports[0]?.error, 'STORE_READ_FAILED')).to.equal(true);
    expect(service.reports).to.have.length(1);
  });

  it('cuts the connection when the store fails in the middle, which is reported', async () => {
    fillDays(service);
    service.days.details = (day) =>
      day < 3
        ? Promise.resolve(largeDay(day))
        : Promise.reject(new TallybookError('STORE_READ_FAILED', 'the card is gone'));
    const response = await service.begin('/api/export');
    expect(response.statusCode).to.equal(200);
    const failure: unknown = await text(response).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'ECONNRESET');
    expect(response.complete).to.equal(false);
    expect(service.reports).to.have.length(1);
    expect(isTallybookError(service.reports[0]?.error, 'STORE_READ_FAILED')).to.equal(true);
    // The failed export has freed its place.
    service.days.details = (day) => Promise.resolve(largeDay(day));
    const days = Array.from({ length: 3 }, (_, n) => toDay(n));
    service.days.list = () => Promise.resolve(days);
    for (let n = 0; n < 3; n++) expect((await service.request('/api/export')).status).to.equal(200);
  });

  it('reads the store no faster than the client reads, and delays nobody', async () => {
    const loaded = fillDays(service);
    const response = await service.begin('/api/export');
    await stalled(loaded);
    expect(loaded.length).to.be.within(1, 300);
    expect((await service.post({ id: ada, name: { first: 'Ada', last: '' } })).status).to.equal(201);
    const rest = await text(response);
    expect(rest).to.match(/"kind":"end","names":0,"entries":400000,"corrections":0,"provisional":0\}\n/);
    expect(loaded).to.have.length(400);
  });

  it('is limited to two at a time: one more gets 503 and Retry-After', async () => {
    fillDays(service);
    const responses = [await service.begin('/api/export'), await service.begin('/api/export')];
    const { status, headers, text: reason } = await service.request('/api/export');
    expect(status).to.equal(503);
    expect(reason).to.match(/^all 2 exports/);
    expect(headers.get('retry-after')).to.equal('10');
    expect((await service.request('/api/export', { method: 'HEAD' })).status).to.equal(200);
    for (const each of responses) each.destroy();
    service.days.list = () => Promise.resolve([]);
    while ((await service.request('/api/export')).status === 503) await new Promise(setImmediate);
    expect(service.reports).to.deep.equal([]);
  });

  it('is limited to one at a time for each client: one more gets 503 and Retry-After', async () => {
    fillDays(service);
    const [header, other] = ['192.0.2.1', '192.0.2.2'];
    const response = await service.begin('/api/export', { headers: { 'x-client': header } });
    const ask = (client: string) => service.request('/api/export', { headers: { 'x-client': client } });
    const { status, headers, text: reason } = await ask(header);
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '10']);
    expect(reason).to.equal('another export for you is running; try again later');
    service.days.list = () => Promise.resolve([]);
    expect((await ask(other)).status).to.equal(200);
    response.destroy();
    while ((await ask(header)).status === 503) await new Promise(setImmediate);
  });

  it('is limited to one at a time for all sessions of a user', async () => {
    await using service = await claimedService();
    fillDays(service);
    const [one, other] = [cookieOf(await signIn(service)), cookieOf(await signIn(service))];
    const response = await service.begin('/api/export', { headers: { cookie: one } });
    const { status, text: reason } = await service.request('/api/export', { headers: { cookie: other } });
    expect([status, reason]).to.deep.equal([503, 'another export for you is running; try again later']);
    response.destroy();
  });
});
