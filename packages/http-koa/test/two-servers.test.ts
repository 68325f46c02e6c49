import { parseTallyId } from '@tallybook/domain';
import { expect } from 'chai';
import { claimedService, cookieOf, signIn, tokenOf } from './fixtures/claimed-service.js';
import { RunningService } from './fixtures/running-service.js';
import { StreamClient } from './fixtures/stream-client.js';
import { ada, bob } from '../../testing/test/fixtures/known-values.js';

describe('a server beside another one, on the same stores', () => {
  it('accepts a session that began at the other one a moment ago', async () => {
    await using one = await claimedService();
    await using other = await RunningService.start({ access: {}, beside: one });
    const cookie = cookieOf(await signIn(one));
    expect((await other.request('/api/session', { headers: { cookie } })).text).to.include('"ada"');
    const stream = await StreamClient.connect(other, undefined, await tokenOf(one, 'kiosk'));
    expect(stream.response.statusCode).to.equal(200);
  });

  it('refuses a session that neither of them knows', async () => {
    await using one = await claimedService();
    await using other = await RunningService.start({ access: {}, beside: one });
    for (const headers of [{ cookie: 'tallybook=nothing' }, { authorization: 'Bearer tb_nothing' }]) {
      expect((await other.request('/api/mapping', { headers })).status).to.equal(401);
      expect((await other.request('/api/nothing', { headers })).status).to.equal(401);
    }
  });

  it('refuses a session that was signed out at the other one after its next check, and ends its streams', async () => {
    await using one = await claimedService();
    await using other = await RunningService.start({ access: {}, beside: one });
    const cookie = cookieOf(await signIn(one));
    const stream = await StreamClient.connect(other, undefined, { cookie });
    const headers = { cookie, origin: `http://127.0.0.1:${one.port}` };
    await one.request('/api/session', { method: 'DELETE', headers });
    other.clock.advance(60_000);
    await stream.closed;
    expect((await other.request('/api/mapping', { headers: { cookie } })).status).to.equal(401);
  });

  it('answers with data that the other one has written', async () => {
    await using one = await RunningService.start();
    await using other = await RunningService.start({ beside: one });
    const empty = await other.request('/api/mapping');
    await one.mapping.put(parseTallyId(ada), { first: 'Ada', last: 'Lovelace' });
    const etag = empty.headers.get('etag') ?? '';
    const named = await other.request('/api/mapping', { headers: { 'if-none-match': etag } });
    expect([named.status, named.text]).to.deep.equal([200, (await one.request('/api/mapping')).text]);
  });

  it('shows the reader of the other one at which an unnamed tag was tapped', async () => {
    await using one = await RunningService.start();
    await using other = await RunningService.start({ beside: one });
    await one.tap(ada);
    expect((await other.request('/api/unnamed')).text).to.include('"reader":"door"');
  });

  it('streams the taps at the other one as its own, each once', async () => {
    await using one = await RunningService.start();
    await using other = await RunningService.start({ beside: one });
    const stream = await StreamClient.connect(other);
    await one.tap(ada);
    await other.tap(bob);
    one.clock.advance(5_000);
    await one.tap(ada);
    one.clock.setSynchronised(false);
    one.clock.set(5);
    await one.tap(bob);
    const expected = [ada, bob, ada, bob].flatMap(() => ['msg', 'attendance']);
    const told = await stream.receive(expected.length);
    expect(told.map(({ event }) => event)).to.deep.equal(expected);
    const tags = told.filter(({ event }) => event === 'msg').map(({ data }) => data);
    expect(tags).to.deep.equal([ada, bob, ada, bob]);
    await other.tap('0A0B0C');
    expect((await stream.receive(10)).at(-1)?.['data']).to.include('0A0B0C');
  });

  it('continues where a client has left the other one', async () => {
    await using one = await RunningService.start();
    await using other = await RunningService.start({ beside: one });
    const before = await StreamClient.connect(one);
    await one.tap(ada);
    const id = (await before.receive(2)).at(-1)?.['id'];
    before.abort();
    await one.tap(bob);
    const after = await StreamClient.connect(other, id);
    expect((await after.receive(2)).map(({ data }) => data?.includes(bob))).to.deep.equal([true, true]);
  });
});
