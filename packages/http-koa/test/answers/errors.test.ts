import { errorCodes, TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { statusOf } from '../../src/error-map.js';
import { openApiDocument } from '../fixtures/open-api-document.js';
import { useService } from '../fixtures/running-service.js';

const storeFailure = new TallybookError('STORE_READ_FAILED', 'block 7 of Ada is unreadable');

describe('the answer to a request that fails', () => {
  const service = useService();

  const texts = [
    undefined,
    '*/*',
    'text/plain',
    'text/*',
    'image/png',
    'text/html,application/xhtml+xml,*/*;q=0.8',
  ];
  const weighed = [
    'application/json;q=0.5, text/plain',
    'application/json;q=0, */*',
    ',,;q',
    'text/plain, application/json',
  ];
  for (const accept of [...texts, ...weighed]) {
    it(`is one line of text for Accept: ${String(accept)}`, async () => {
      const headers = `Host: localhost\r\nConnection: close\r\n${accept === undefined ? '' : `Accept: ${accept}\r\n`}`;
      const answer = await service.exchange(`GET /api/day HTTP/1.1\r\n${headers}\r\n`);
      expect(answer).to.match(/\r\nContent-Type: text\/plain; charset=utf-8\r\n[^]*\r\n\r\nNot found$/);
      expect(answer).to.match(/\r\nVary: Accept\r\n/);
    });
  }

  for (const accept of [
    'application/json',
    'application/problem+json',
    'text/plain;q=0.5, application/json',
    'application/json, */*',
  ]) {
    it(`is problem details for Accept: ${accept}`, async () => {
      const { status, headers, text } = await service.request('/api/day?day=x', {
        headers: { Accept: accept },
      });
      expect(status).to.equal(400);
      expect(headers.get('content-type')).to.equal('application/problem+json');
      expect(headers.get('vary')).to.equal('Accept');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(JSON.parse(text)).to.deep.equal({
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'day: a day is a count of days since 1970-01-01, from 0 to 4294967295; got "x"',
        code: 'INVALID_DAY',
      });
    });
  }

  it('has no code if the error is not of the domain', async () => {
    const { text } = await service.request('/api/day', { headers: { Accept: 'application/json' } });
    expect(JSON.parse(text)).to.deep.equal({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'Not found',
    });
  });

  it('hides an error of the server, reports it, and the next request works', async () => {
    service.mapping.failure = storeFailure;
    const { status, headers, text } = await service.request('/api/mapping?name=Lovelace');
    expect([status, text]).to.deep.equal([500, 'Internal server error']);
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(headers.has('etag')).to.equal(false);
    expect(service.reports).to.deep.equal([
      { error: storeFailure, request: { method: 'GET', path: '/api/mapping' } },
    ]);
    service.mapping.failure = undefined;
    expect((await service.request('/api/mapping')).status).to.equal(200);
  });

  it('shows only the code of an error of the server in problem details', async () => {
    service.days.failure = storeFailure;
    const { text } = await service.request('/api/days?from=0&to=1', {
      headers: { Accept: 'application/json' },
    });
    expect(JSON.parse(text)).to.deep.equal({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'Internal server error',
      code: 'STORE_READ_FAILED',
    });
  });

  it('is 503, with a clear message, for a failed write that may be tried again', async () => {
    const body = { id: '04A2B3C4D5', name: { first: 'Ada', last: '' } };
    service.mapping.failure = new TallybookError('STORE_WRITE_FAILED', '/var/lib/it: the disk is full');
    const { status, text } = await service.post(body);
    expect(status).to.equal(503);
    expect(text).to.match(/^The store cannot be written at present: its disk is full, or /);
    expect(text).to.not.include('/var');
    expect(service.reports).to.have.length(1);
    service.mapping.failure = undefined;
    expect((await service.post(body)).status).to.equal(201);
  });

  it('is 500 for a programming mistake', async () => {
    service.days.failure = new TypeError('x is not a function');
    const { status, text } = await service.request('/api/day?day=1', {
      headers: { Accept: 'application/json' },
    });
    expect(status).to.equal(500);
    expect(JSON.parse(text)).to.not.have.property('code');
    expect(service.reports).to.have.length(1);
  });

  it('is 500 while a store is closed', async () => {
    await service.days.close();
    expect((await service.request('/api/day?day=1')).status).to.equal(500);
  });

  it('is 500 for every thrown value that is no error', async () => {
    service.mapping.failure = 'nonsense' as never;
    expect((await service.request('/api/mapping')).text).to.equal('Internal server error');
    expect(service.reports[0]?.error).to.equal('nonsense');
  });

  it('does not report mistakes of the client', async () => {
    await service.request('/api/day?day=x');
    await service.request('/nowhere');
    await service.request('/api/day', { method: 'DELETE' });
    await service.post('{');
    expect(service.reports).to.deep.equal([]);
  });

  it('has a status for each code of the domain', () => {
    expect(Object.keys(statusOf)).to.have.members([...errorCodes]);
  });
});

describe('the OpenAPI document on errors', () => {
  it('gives problem details for every status from 400 on', () => {
    const answers = Object.values(openApiDocument.paths).flatMap(({ get }) =>
      Object.entries(get?.responses ?? {}),
    );
    for (const [status, { content }] of answers) {
      if (Number(status) >= 400) expect(content).to.have.keys('text/plain', 'application/problem+json');
    }
  });
});
