import { expect } from 'chai';
import { call } from '../fixtures/processes/called.js';
import { TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const ADA = '04A2B3C4D5';
const BOB = '0006547886';

interface Result {
  readonly n: number | null;
  readonly outcome: string;
}

describe('scans that a device pushes', () => {
  const folder = temporaryFolder();
  const running: TallybookProcess[] = [];
  let url: string;

  const store = (): string => `level:${folder.path('store')}`;

  async function serve(...more: readonly string[]): Promise<TallybookProcess> {
    const server = new TallybookProcess(
      ...['serve', '--port', '0', '--clock', 'trusted', '--store', store()],
      ...['--reader', 'http:gate', '--reader', 'http:clock?time=device&silence=1d', ...more],
    );
    running.push(server);
    url = await server.url();
    return server;
  }

  afterEach(async () => {
    await Promise.all(running.splice(0).map((process) => process.kill()));
  });

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

  it('are taken once, also when the service is killed as soon as it has answered, and starts again', async () => {
    const server = await serve();
    expect(await outcomes({ run: 'a', readings: [{ id: ADA, n: 7 }] })).to.deep.equal(['counted']);
    server.child.kill('SIGKILL');
    await server.exited;
    await serve();
    expect(await outcomes({ run: 'a', readings: [{ id: ADA, n: 7 }] })).to.deep.equal(['repeated']);
    expect(await outcomes({ run: 'a', readings: [{ id: ADA, n: 8 }] })).to.deep.equal(['already-counted']);
    expect(await outcomes({ run: 'b', readings: [{ id: BOB, n: 7 }] })).to.deep.equal(['counted']);
  });

  it('are all there when the service is killed again and again while a device sends, and only those of the last request twice', async () => {
    const count = 300;
    // Each scan has a second of its own, so that a second taking would show.
    const scans = Array.from({ length: count }, (_, index) => ({
      id: `AB${String(index % 10).padStart(8, '0')}`,
      n: index + 1,
      ageMs: (count - index) * 10_000,
    }));
    const began = Date.now();
    let kept = scans;
    for (let kills = 0; kept.length > 0;) {
      const server = await serve('--repeat-window', '0');
      while (kept.length > 0) {
        const some = kept.slice(0, 7);
        // The age grows while it waits.
        const readings = some.map((scan) => ({ ...scan, ageMs: scan.ageMs + Date.now() - began }));
        const sent = push({ run: 'a', readings });
        if (kills < 5 && kept.length < count - 50 * kills) {
          kills++;
          setImmediate(() => server.child.kill('SIGKILL'));
        }
        const isAnswered = await sent.then(
          async (response) => response.ok && (await response.text()).endsWith('}'),
          () => false,
        );
        if (!isAnswered) break;
        kept = kept.slice(some.length);
      }
      await server.kill();
    }
    await serve();
    const counts = new Map<string, number>();
    for (const day of [0, 86_400]) {
      const response = await fetch(`${url}/api/day?timestamp=${seconds() - day}&expand=entries`);
      if (!response.ok) continue;
      const { entries } = (await response.json()) as { entries: { id: string; count: number }[] };
      for (const entry of entries) counts.set(entry.id, (counts.get(entry.id) ?? 0) + entry.count);
    }
    const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
    expect(counts.size).to.equal(10);
    expect(total).to.be.at.least(count);
    // Those of one request may be taken twice for each time that the power was cut between record and receipt.
    expect(total).to.be.at.most(count + 5 * 7);
  });

  it('are filed under the time of a device whose clock is trusted', async () => {
    await serve();
    const at = seconds() - 3 * 86_400;
    expect(await outcomes([{ id: ADA, at }], 'clock')).to.deep.equal(['counted']);
    expect(await outcomes([{ id: BOB, at: at * 1000 }], 'clock')).to.deep.equal(['counted']);
    expect(await idsOf(at)).to.deep.equal([ADA, BOB]);
  });

  it('need a token where people sign in, and one that is called like a reader is for that one', async () => {
    const token = async (label: string): Promise<string> => {
      const { output } = await call('token', 'add', label, '--role', 'device', '--store', store());
      return /tb_\S+/.exec(output)?.[0] ?? '';
    };
    await call('user', 'add', 'ada', '--role', 'admin', '--no-password', '--store', store());
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
