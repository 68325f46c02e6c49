import { expect } from 'chai';
import { EventStream } from '../fixtures/http/event-stream.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { noMidnight } from '../fixtures/processes/no-midnight.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import { storedService } from '../fixtures/processes/stored-service.js';

const ADA = '04A2B3C4D5';
const BOB = '0006547886';

interface Result {
  readonly n: number | null;
  readonly outcome: string;
}

describe('scans that a device pushes', () => {
  const service = storedService();
  let url: string;

  async function serve(): Promise<TallybookProcess> {
    const server = service.serve(
      ...['--clock', 'trusted', ...noMidnight()],
      ...['--reader', 'http:gate', '--reader', 'http:clock?time=device&silence=1d'],
    );
    url = await server.url();
    return server;
  }

  async function push(body: unknown, reader = 'gate', token?: string): Promise<Response> {
    return fetch(`${url}/api/readers/${reader}/readings`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
  }

  async function outcomes(body: unknown, reader?: string): Promise<string[]> {
    const response = await push(body, reader);
    expect(response.status).to.equal(200);
    const { results } = (await response.json()) as { results: Result[] };
    return results.map(({ outcome }) => outcome);
  }

  async function idsOf(timestamp: number): Promise<string[]> {
    const response = await fetch(`${url}/api/day?timestamp=${timestamp}`);
    return response.ok ? ((await response.json()) as { ids: string[] }).ids : [];
  }

  const seconds = (): number => Math.floor(Date.now() / 1000);

  it('are recorded, and the reader is shown with its last scan', async () => {
    await serve();
    expect(
      await outcomes([
        { id: ADA, n: 1 },
        { id: BOB, n: 2, ageMs: 86_400_000 },
      ]),
    ).to.deep.equal(['counted', 'counted']);
    expect(await idsOf(seconds())).to.deep.equal([ADA]);
    expect(await idsOf(seconds() - 86_400)).to.deep.equal([BOB]);
    const readers = (await (await fetch(`${url}/api/readers`)).json()) as {
      name: string;
      kind: string;
      connection: string;
      lastReading: number | null;
    }[];
    expect(readers.map(({ name, kind, connection }) => [name, kind, connection])).to.deep.equal([
      ['gate', 'http', 'connected'],
      ['clock', 'http', 'waiting'],
    ]);
    expect(readers[0]?.lastReading).to.be.a('number');
  });

  it('are accepted once, also when the service is killed directly after its answer and restarts', async () => {
    const server = await serve();
    expect(await outcomes({ run: 'a', readings: [{ id: ADA, n: 7 }] })).to.deep.equal(['counted']);
    server.child.kill('SIGKILL');
    await server.exited;
    await serve();
    expect(await outcomes({ run: 'a', readings: [{ id: ADA, n: 7 }] })).to.deep.equal(['repeated']);
    expect(await outcomes({ run: 'a', readings: [{ id: ADA, n: 8 }] })).to.deep.equal(['already-counted']);
    expect(await outcomes({ run: 'b', readings: [{ id: BOB, n: 7 }] })).to.deep.equal(['counted']);
  });

  it('are refused after the erasure of their person, which is no failure and is announced to nobody else', async () => {
    const server = await serve();
    expect(await outcomes([{ id: ADA, n: 1 }])).to.deep.equal(['counted']);
    const http = new HttpClient(url);
    await http.post('/api/erasures', { ids: [ADA] });
    const before = server.text.length;
    const stream = await EventStream.open(url);
    const response = await push([
      { id: ADA, n: 2, ageMs: 600_000 },
      { id: BOB, n: 3 },
    ]);
    const detail = 'the person of this tag was erased after this scan';
    expect(await response.json()).to.deep.equal({
      acked: 2,
      results: [
        { n: 2, outcome: 'refused', code: 'TAG_ERASED', detail },
        { n: 3, outcome: 'counted' },
      ],
    });
    await stream.events.find('the scan of Bob', ({ data }) => data.includes(BOB));
    stream.close();
    expect(JSON.stringify(stream.events.values)).to.not.include(ADA);
    expect(await http.json<unknown>('/api/backlog')).to.include({ waiting: 0 });
    const { parts } = await http.json<{ parts: { part: string; status: string }[] }>('/api/health');
    expect(parts.find(({ part }) => part === 'store')?.status).to.equal('ok');
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);
    expect(server.text.slice(before)).to.not.match(/ERROR|WARN|error/);
    expect(server.text.slice(before)).to.not.include(ADA);
  });

  it('need a token where people sign in; a token with the name of a reader is only for that reader', async () => {
    const token = async (label: string): Promise<string> => {
      const { output } = await service.inStore('token', 'add', label, '--role', 'device');
      return /tb_\S+/.exec(output)?.[0] ?? '';
    };
    await service.inStore('user', 'add', 'ada', '--role', 'admin', '--no-password');
    const [gate, any] = [await token('gate'), await token('esp')];
    await serve();
    expect((await push([ADA])).status).to.equal(401);
    expect((await push([ADA], 'gate', gate)).status).to.equal(200);
    expect((await push([ADA], 'clock', gate)).status).to.equal(403);
    expect((await push([ADA], 'clock', any)).status).to.equal(200);
    const missing = await push([ADA], 'hall', any);
    expect([missing.status, await missing.text()]).to.deep.equal([404, 'there is no http reader "hall"']);
    const reading = await fetch(`${url}/api/readers`, { headers: { Authorization: `Bearer ${gate}` } });
    expect(reading.status).to.equal(403);
  });
});
