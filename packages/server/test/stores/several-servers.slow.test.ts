import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { usePostgres } from '../../../store-postgres/test/fixtures/postgres.js';
import { EventStream } from '../fixtures/http/event-stream.js';
import { finish, hold } from '../fixtures/http/held-request.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { RoundRobin } from '../fixtures/http/round-robin.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import type { ServerProcess } from '../fixtures/processes/server-process.js';

const PASSWORD = 'correct horse battery';

describe('Two servers on one PostgreSQL', () => {
  const processes = runningProcesses();
  const postgres = usePostgres();
  let balancer: RoundRobin | undefined;
  const streams: EventStream[] = [];
  let store: string;
  let servers: readonly ServerProcess[];
  let urls: readonly string[];

  beforeEach(async () => {
    store = postgres.current.site();
    servers = [start(), start()];
    urls = await Promise.all(servers.map((server) => server.url()));
    balancer = await RoundRobin.start(urls);
  });

  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await balancer?.stop();
    balancer = undefined;
  });

  function start(): ServerProcess {
    const options = ['--port', '0', '--reader', 'stdin:', '--clock', 'trusted', '--repeat-window', '0'];
    return processes.start('serve', '--store', store, ...options);
  }

  async function listen(url: string, lastEventId?: string): Promise<EventStream> {
    const stream = await EventStream.open(url, lastEventId);
    streams.push(stream);
    return stream;
  }

  const urlOf = (index: number): string => urls[index] ?? '';
  const tagOf = (n: number): string => `0A0B${n.toString(16).toUpperCase().padStart(6, '0')}`;
  const tagsOf = (stream: EventStream): string[] =>
    stream.events.values
      .filter(({ event }) => event === 'attendance')
      .map(({ data }) => (JSON.parse(data) as { id: string }).id);

  it('stream the taps of each other, and a client continues at one where it left the other', async () => {
    const [first, second] = [await listen(urlOf(0)), await listen(urlOf(1))];
    for (let n = 0; n < 6; n++) {
      servers[n % 2]?.tap(tagOf(n));
      for (const stream of [first, second]) {
        expect(JSON.parse(await stream.data('attendance', n + 1))).to.include({ id: tagOf(n) });
        expect(await stream.data('msg', n + 1)).to.equal(tagOf(n));
      }
    }
    expect(second.events.values.filter(({ id }) => id !== '')).to.deep.equal(
      first.events.values.filter(({ id }) => id !== ''),
    );
    const third = first.events.values.find(({ data }) => data.includes(`"${tagOf(2)}"`));
    const after = await listen(urlOf(1), third?.id);
    await after.data('attendance', 3);
    expect(tagsOf(after)).to.deep.equal([3, 4, 5].map(tagOf));
  });

  it('give the same answers as soon as one of them has answered a change', async () => {
    const [first, second] = [new HttpClient(urlOf(0)), new HttpClient(urlOf(1))];
    for (let n = 0; n < 10; n++) {
      const [here, there] = n % 2 === 0 ? [first, second] : [second, first];
      await here.putName(tagOf(n), `Lovelace ${n}`);
      expect((await there.mapping())[tagOf(n)]?.last).to.equal(`Lovelace ${n}`);
      expect(Object.keys(await here.mapping())).to.have.length(n + 1);
    }
  });

  it('know the users, sessions and tokens of each other, behind a load balancer', async () => {
    const url = balancer?.url ?? '';
    const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(url + path, {
        ...init,
        headers: {
          connection: 'close',
          origin: url,
          ...(init.headers as Record<string, string> | undefined),
        },
      });
    const json = { 'content-type': 'application/json' };
    const user = { name: 'ada', role: 'admin', password: PASSWORD };
    const added = await ask('/api/users', { method: 'POST', headers: json, body: JSON.stringify(user) });
    expect(added.status).to.equal(201);
    for (let round = 0; round < 4; round++) {
      const signedIn = await ask('/api/session', {
        method: 'POST',
        headers: json,
        body: JSON.stringify(user),
      });
      expect(signedIn.status).to.equal(200);
      const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
      for (let n = 0; n < 4; n++) {
        expect((await ask('/api/mapping', { headers: { cookie } })).status).to.equal(200);
      }
      expect((await ask('/api/session', { method: 'DELETE', headers: { cookie } })).status).to.equal(204);
      // The other server reads the changes four times a second.
      const status = async (index: number): Promise<number> =>
        (await fetch(`${urlOf(index)}/api/mapping`, { headers: { cookie } })).status;
      for (const index of [0, 1]) while ((await status(index)) !== 401) await pause(10);
    }
  });

  it('take no change of somebody whose right ended at the other one while the body was on its way', async () => {
    const [first, second] = [urlOf(0), urlOf(1)];
    const change = { id: tagOf(1), name: { first: 'Mallory', last: '' } };
    const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${first}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: first, ...headers },
        body: JSON.stringify(body),
      });
    const session = async (name: string): Promise<string> => {
      const { headers } = await post('/api/session', { name, password: PASSWORD });
      return headers.getSetCookie()[0]?.split(';')[0] ?? '';
    };
    const stranger = await hold(second, '/api/mapping');
    expect((await post('/api/users', { name: 'ada', password: PASSWORD })).status).to.equal(201);
    expect((await finish(stranger, change))[0]).to.equal(401);

    const Cookie = await session('ada');
    await post('/api/users', { name: 'boss', role: 'admin', password: PASSWORD }, { Cookie });
    const held = await hold(second, '/api/mapping', { Cookie: await session('boss'), Origin: second });
    const removed = await fetch(`${first}/api/users?name=boss`, {
      method: 'DELETE',
      headers: { Cookie, Origin: first },
    });
    expect(removed.status).to.equal(204);
    expect((await finish(held, change))[0]).to.equal(401);
    expect(await (await fetch(`${first}/api/mapping`, { headers: { Cookie } })).json()).to.deep.equal({});
  });

  it('continue when either of them is killed, and a client misses nothing', async () => {
    const url = balancer?.url ?? '';
    const told: string[] = [];
    let lastEventId = '';
    const follow = (): Promise<EventStream> => listen(url, lastEventId);
    let stream = await follow();
    const leave = (): void => {
      told.push(...tagsOf(stream));
      lastEventId = stream.events.values.findLast(({ id }) => id !== '')?.id ?? lastEventId;
      stream.close();
    };
    let tapped = 0;
    const tap = async (server: ServerProcess | undefined): Promise<void> => {
      const id = tagOf(tapped++);
      server?.tap(id);
      await stream.events.find(
        `the tap ${id}`,
        ({ event, data }) => event === 'attendance' && data.includes(id),
      );
    };
    const [first, second] = servers;
    for (let n = 0; n < 5; n++) await tap(n % 2 === 0 ? first : second);
    leave();
    await first?.kill();
    second?.tap(tagOf(tapped++));
    stream = await follow();
    await tap(second);
    leave();
    const third = start();
    await third.url();
    await second?.kill();
    third.tap(tagOf(tapped++));
    const thirdUrl = await third.url();
    stream = await listen(thirdUrl, lastEventId);
    await tap(third);
    leave();
    expect(told).to.deep.equal(Array.from({ length: tapped }, (_, n) => tagOf(n)));
    const counted = await new HttpClient(thirdUrl).allEntries();
    expect(counted.map(({ count }) => count)).to.deep.equal(told.map(() => 1));
  });
});
