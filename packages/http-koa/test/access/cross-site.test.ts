import { owner } from '@tallybook/domain/access';
import { expect } from 'chai';
import { claimedService, cookieOf, signIn, tokenOf } from '../fixtures/claimed-service.js';
import { RunningService } from '../fixtures/running-service.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

const NAME = { id: '04A2B3C4D5', name: { first: 'Ada', last: 'Lovelace' } };

/** The status of a changing request with these headers. */
async function statusOf(service: RunningService, headers: Record<string, string>): Promise<number> {
  return (await service.exchangeJson('/api/mapping', NAME, headers)).status;
}

describe('a change with the cookie of a session', () => {
  const service = useEach(() => claimedService());

  it('is allowed for the own page', async () => {
    const cookie = cookieOf(await signIn(service));
    const host = `127.0.0.1:${service.port}`;
    expect(await statusOf(service, { cookie, origin: `http://${host}` })).to.equal(201);
    expect(await statusOf(service, { cookie, origin: `https://${host}` })).to.equal(200);
    expect(await statusOf(service, { cookie, origin: `HTTP://${host}` })).to.equal(200);
    expect(await statusOf(service, { cookie, 'sec-fetch-site': 'same-origin' })).to.equal(200);
    expect(await statusOf(service, { cookie, 'sec-fetch-site': 'none' })).to.equal(200);
  });

  it('is refused for every other page, also on another port', async () => {
    const cookie = cookieOf(await signIn(service));
    const host = `127.0.0.1:${service.port}`;
    for (const headers of [
      { origin: 'http://127.0.0.1:3000' },
      { origin: 'http://127.0.0.1' },
      { origin: `http://${host}.evil.example` },
      { origin: 'null' },
      { origin: '' },
      { origin: 'nonsense' },
      { origin: host },
      { origin: `http://evil.example@${host}x` },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
      { 'sec-fetch-site': 'cross-site' },
      {},
    ]) {
      expect(await statusOf(service, { cookie, ...headers }), JSON.stringify(headers)).to.equal(403);
    }
    expect(service.access.credentials.list(owner, { all: true }).length).to.equal(1);
  });

  it('is refused for signing in and out too, so that nobody is signed in as somebody else', async () => {
    const answer = await signIn(service, 'ada', { origin: 'http://127.0.0.1:3000' });
    expect([answer.status, answer.headers.get('set-cookie')]).to.deep.equal([403, null]);
  });
});

describe('a change with a token', () => {
  it('needs no origin: a program is no page', async () => {
    await using service = await claimedService();
    expect(await statusOf(service, await tokenOf(service, 'desk'))).to.equal(201);
  });
});

describe('a change on an open service', () => {
  it('needs no origin, but an origin must be that of the service', async () => {
    await using service = await RunningService.start({ access: {} });
    expect(await statusOf(service, {})).to.equal(201);
    expect(await statusOf(service, { origin: `http://127.0.0.1:${service.port}` })).to.equal(200);
    expect(await statusOf(service, { origin: 'http://elsewhere.example' })).to.equal(403);
  });
});
