import { hostname } from 'node:os';
import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { AllowedHosts } from '../../src/requests/allowed-hosts.js';
import { checkHostName } from '../../src/index.js';
import { openApiDocument } from '../fixtures/open-api-document.js';
import { RunningService, useService } from '../fixtures/running-service.js';

interface Question {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  readonly fields?: readonly string[];
}

/** Every operation, one unknown path, and the requests outside the routes. */
const questions: Question[] = [
  ...Object.entries(openApiDocument.paths).flatMap(([target, operations]) =>
    [...Object.keys(operations), 'options', 'delete', 'patch'].map((method) => ({ target, method })),
  ),
  { target: '/' },
  { target: '/api' },
  { target: '/api/unknown' },
  { target: '/elsewhere', method: 'post' },
  { target: '*', method: 'options' },
];

/** Sends a request unchanged, and returns head and body of the answer. */
async function ask(service: RunningService, question: Question): Promise<{ head: string; body: string }> {
  const { method = 'get', target = '/api/days?from=0&to=0', version = ' HTTP/1.1', fields = [] } = question;
  const lines = [`${method.toUpperCase()} ${target}${version}`, ...fields, 'Connection: close'];
  const answer = await service.exchange(`${lines.join('\r\n')}\r\n\r\n`);
  const end = answer.indexOf('\r\n\r\n');
  return { head: answer.slice(0, end), body: answer.slice(end + 4) };
}

async function statusOf(service: RunningService, question: Question): Promise<number> {
  return Number((await ask(service, question)).head.split(' ')[1]);
}

describe('every request', () => {
  const service = useService();

  const foreign = 'Host: evil.example:8080';
  const refusals: [what: string, fields: string[], status: number, words: RegExp][] = [
    ['for a name that is not ours', [foreign], 421, /^Host: "evil\.example:8080" is not .*--allowed-host$/],
    ['without Host', [], 400, /^Host: must be given$/],
    ['with two Hosts', ['Host: localhost', 'hOST: localhost'], 400, /^Host: must be given once$/],
  ];
  for (const [what, fields, status, words] of refusals) {
    it(`${what} is refused with ${status} and a clear message, for every target`, async () => {
      for (const question of questions) {
        const { head, body } = await ask(service, { ...question, fields });
        const title = JSON.stringify(question);
        expect(head, title).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(head, title).to.match(/\r\nCross-Origin-Resource-Policy: same-origin/i);
        if (question.method !== 'head') expect(body, title).to.match(words);
      }
      expect(service.events.subscriberCount).to.equal(0);
    });
  }

  it('of a page of another site is refused with 403 and a clear message, below /api', async () => {
    const fields = ['Host: localhost', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'];
    for (const question of questions.filter(({ target }) => target?.startsWith('/api'))) {
      const { head, body } = await ask(service, { ...question, fields });
      expect(head, JSON.stringify(question)).to.match(/^HTTP\/1\.1 403 /);
      if (question.method !== 'head') expect(body).to.match(/^a page of another site .*type the address/);
    }
    expect(await statusOf(service, { target: '/elsewhere', fields })).to.equal(404);
    expect(await statusOf(service, { target: '/apiary', fields })).to.equal(404);
    expect(await statusOf(service, { target: '/elsewhere/api', fields })).to.equal(404);
  });

  for (const site of ['same-origin', 'same-site', 'none']) {
    it(`with Sec-Fetch-Site: ${site} is answered`, async () => {
      const fields = ['Host: localhost', `Sec-Fetch-Site: ${site}`];
      expect(await statusOf(service, { fields })).to.equal(200);
    });
  }

  it('gets an answer that other sites cannot read', async () => {
    for (const question of questions.filter(
      ({ target, method }) => !(target === '/api/idevent' && method === 'get'),
    )) {
      const { head } = await ask(service, { ...question, fields: ['Host: localhost'] });
      expect(head, JSON.stringify(question)).to.match(/\r\nX-Content-Type-Options: nosniff/i);
      expect(head, JSON.stringify(question)).to.match(/\r\nCross-Origin-Resource-Policy: same-origin/i);
      expect(head, JSON.stringify(question)).to.not.match(/\r\nAccess-Control-/i);
    }
    const { headers } = await service.request('/api/idevent', { method: 'HEAD' });
    expect(headers.get('cross-origin-resource-policy')).to.equal('same-origin');
    await service.post({ id: '04A2B3C4D5', name: { first: 'Ada', last: '' } });
    const { headers: known } = await service.request('/api/mapping');
    const etag = known.get('etag') ?? '';
    const { status, headers: unchanged } = await service.request('/api/mapping', {
      headers: { 'If-None-Match': etag },
    });
    expect(status).to.equal(304);
    expect(unchanged.get('cross-origin-resource-policy')).to.equal('same-origin');
  });

  it('without a version is refused with 400', async () => {
    const answer = await service.exchange('GET /api/mapping\r\nHost: localhost\r\n\r\n');
    expect(answer).to.match(/^HTTP\/1\.1 400 /);
    expect(await service.exchange('GET /api/mapping HTTP/2.0\r\nHost: localhost\r\n\r\n')).to.match(
      /^HTTP\/1\.1 400 /,
    );
  });

  it('in HTTP/1.0 may leave out Host, as small devices do', async () => {
    expect(await statusOf(service, { version: ' HTTP/1.0' })).to.equal(200);
    expect(await statusOf(service, { version: ' HTTP/1.0', fields: ['Host: evil.example'] })).to.equal(421);
  });

  it('with an absolute URL as its target is judged by that too', async () => {
    const fields = ['Host: localhost'];
    const path = '/api/days?from=0&to=0';
    expect(await statusOf(service, { target: `http://localhost:1${path}`, fields })).to.equal(200);
    expect(await statusOf(service, { target: `http://evil.example${path}`, fields })).to.equal(421);
  });

  it('may be for an allowed name', async () => {
    await using service = await RunningService.start({ allowedHosts: ['Taps.Example.org'] });
    expect(await statusOf(service, { fields: ['Host: taps.example.org'] })).to.equal(200);
    expect(await statusOf(service, { fields: ['Host: other.example.org'] })).to.equal(421);
  });
});

describe('AllowedHosts', () => {
  const hosts = new AllowedHosts(['taps.example.org']);

  const allowed = [
    '127.0.0.1',
    '192.168.1.23:8080',
    '[::1]',
    '[2001:db8::7]:8080',
    '[::ffff:192.168.1.23]',
    'localhost',
    'LOCALHOST:80',
    'localhost.',
    'app.localhost',
    'pi.local:8080',
    'Pi.Local.',
    'taps.example.org',
    'TAPS.example.org.:443',
    hostname(),
    `${hostname().toUpperCase()}:8080`,
  ];
  for (const host of allowed) {
    it(`allows ${host}`, () => {
      expect(hosts.allows(host)).to.equal(true);
      expect(hosts.allows(host)).to.equal(true);
    });
  }

  const refused = [
    '',
    ':8080',
    'evil.example',
    'local',
    '.local',
    'evillocal',
    'pi.local.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'taps.example.org.evil.example',
    'x.taps.example.org',
    `${hostname()}.evil.example`,
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '::1',
    '[127.0.0.1]',
    '[]',
    '[::1',
    '127.0.0.1:80:80',
    'user@localhost',
    'localhost, evil.example',
  ];
  for (const host of refused) {
    it(`refuses ${JSON.stringify(host)}, also after allowed hosts`, () => {
      hosts.allows('localhost');
      expect(hosts.allows(host)).to.equal(false);
      expect(hosts.allows(host)).to.equal(false);
    });
  }

  it('accepts only host names', () => {
    for (const name of ['taps.example.org', 'pi', 'my_pi.lan', 'xn--mller-kva.example', 'pi.'])
      checkHostName(name);
    for (const name of [
      '',
      'http://pi',
      'pi:8080',
      '*.example.org',
      '.example.org',
      'a b',
      '-x',
      'a/b',
      'müller.example',
    ]) {
      expect(() => checkHostName(name), name).to.throw(TallybookError, /^a host name such as/);
      expect(() => new AllowedHosts([name]), name).to.throw(TallybookError, /^a host name such as/);
    }
  });
});
