import { METHODS } from 'node:http';
import { expect } from 'chai';
import { RunningService, useService } from '../fixtures/running-service.js';

/** One path of each kind. */
const routes = {
  '/api/mapping': ['HEAD', 'GET', 'POST', 'DELETE'],
  '/api/day': ['HEAD', 'GET', 'DELETE'],
  '/api/today': ['HEAD', 'GET'],
  '/api/days': ['HEAD', 'GET'],
  '/api/idevent': ['HEAD', 'GET'],
  '/api/time': ['HEAD', 'GET', 'POST'],
  '/api/export': ['HEAD', 'GET'],
};

/** CONNECT never reaches an application, and a body would change how the other requests end. */
const methods = METHODS.filter((method) => method !== 'CONNECT');

function request(method: string, target: string): string {
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
}

describe('methods', () => {
  const service = useService();

  for (const [path, allowed] of Object.entries(routes)) {
    it(`are refused on ${path} with 405 and Allow, except ${allowed.join(', ')} and OPTIONS`, async () => {
      for (const method of methods.filter((each) => !allowed.includes(each) && each !== 'OPTIONS')) {
        const answer = await service.exchange(request(method, path));
        expect(answer, method).to.match(/^HTTP\/1.1 405 /);
        expect(answer, method).to.include(`\r\nAllow: ${allowed.join(', ')}\r\n`);
        expect(answer, method).to.include('\r\nCache-Control: no-store\r\n');
        expect(answer).to.match(
          new RegExp(`\r\n\r\nMethod not allowed; allowed here: ${allowed.join(', ')}$`),
        );
      }
    });

    it(`are listed by OPTIONS on ${path}, without access for a foreign page`, async () => {
      const { status, headers } = await service.request(path, {
        method: 'OPTIONS',
        headers: { Origin: 'http://example.com', 'Access-Control-Request-Method': 'POST' },
      });
      expect(status).to.equal(200);
      expect(headers.get('allow')).to.equal(allowed.join(', '));
      const names = Array.from(headers.keys());
      expect(names.filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    });

    it(`include HEAD on ${path}, which answers like GET without the body`, async () => {
      await service.tap('04A2B3C4D5');
      const target = `${path}?from=0&to=99999999999&timestamp=${service.clock.now()}`;
      const answer = await service.exchange(request('HEAD', target));
      expect(answer).to.match(/^HTTP\/1.1 200 OK\r\n/);
      expect(answer).to.match(/\r\n\r\n$/);
      if (path !== '/api/idevent' && path !== '/api/export') {
        const { headers } = await service.request(target);
        expect(answer).to.include(`\r\nContent-Length: ${String(headers.get('content-length'))}\r\n`);
        const etag = headers.get('etag');
        if (etag !== null) expect(answer).to.include(`\r\nETag: ${etag}\r\n`);
      }
    });
  }

  it('answer HEAD with the status of GET when that fails', async () => {
    expect((await service.request('/api/day', { method: 'HEAD' })).status).to.equal(404);
    expect((await service.request('/api/days', { method: 'HEAD' })).status).to.equal(400);
  });
});

describe('paths', () => {
  const service = useService();

  const unknown = [
    '/',
    '/api',
    '/api/',
    '/api/mapping/',
    '/api/Mapping',
    '/API/mapping',
    '//api/mapping',
    '/api//mapping',
    '/api/%6dapping',
    '/api/mapping%20',
    '/api/mapping%2F',
    '/api/mapping;x',
    '/api/../api/mapping',
    '/%ff',
    '/%',
    '/favicon.ico',
    '*',
  ];
  for (const path of unknown) {
    it(`are 404 \`Not found\`: ${path}`, async () => {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
        const answer = await service.exchange(request(method, path));
        expect(answer, method).to.match(/^HTTP\/1.1 404 Not Found\r\n[^]*\r\n\r\nNot found$/);
      }
      expect(service.reports).to.deep.equal([]);
    });
  }

  it('are refused with 400 when they are no URL', async () => {
    expect(await service.exchange(request('GET', 'http://a b/'))).to.match(/^HTTP\/1.1 400 /);
    for (const target of ['http://[::', 'http://x:99999999/', 'https://[::1']) {
      const answer = await service.exchange(request('GET', target));
      expect(answer, target).to.match(/^HTTP\/1.1 400 [^]*the target of the request is not a URL$/);
    }
    expect(service.reports).to.deep.equal([]);
  });

  it('may be absolute URLs, as proxies send them', async () => {
    expect(await service.exchange(request('GET', 'http://tallybook.local/api/mapping'))).to.match(/\{\}$/);
  });
});

describe('every answer', () => {
  it('forbids guessing its type, and cannot be read by a foreign page', async () => {
    await using service = await RunningService.start();
    for (const target of [...Object.keys(routes).filter((path) => path !== '/api/idevent'), '/nowhere']) {
      const { headers } = await service.request(target, { headers: { Origin: 'http://example.com' } });
      expect(headers.get('x-content-type-options'), target).to.equal('nosniff');
      expect(headers.has('access-control-allow-origin'), target).to.equal(false);
    }
    const name = { first: 'Ada', last: 'Lovelace' };
    for (const [body, status] of [
      ['', 400],
      [{ id: '04A2B3C4D5', name }, 201],
    ] as const) {
      const answer = await service.post(body);
      expect(answer.status).to.equal(status);
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    }
  });
});
