import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { HttpClient } from '../fixtures/http/http-client.js';
import { call } from '../fixtures/processes/called.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import { TallybookProcess, type ServerProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const [ADA, BOB] = ['04A2B3C4D5', '0006547886'] as const;
const DAY = 86_400;
const RECORDED = /scan recorded/;

interface Service {
  readonly server: ServerProcess;
  readonly http: HttpClient;
  readonly url: string;
}

describe('The clock of a service whose record has scans of other clocks, one a day into the future', () => {
  const processes = runningProcesses();
  const folder = temporaryFolder();
  const storeOf = (name: string): string => `level:${folder.path(name)}`;
  const now = (): number => Math.floor(Date.now() / 1_000);

  async function serve(name = 'store'): Promise<Service> {
    const args = ['--clock', 'system', '--repeat-window', '0s', '--port', '0', '--store', storeOf(name)];
    const server = processes.add(new TallybookProcess('serve', ...args));
    const url = await server.url();
    return { server, url, http: new HttpClient(url) };
  }

  /** A service with a tap of its own, which is killed after some work. */
  async function live(work: (service: Service) => Promise<void> = () => Promise.resolve()): Promise<void> {
    const service = await serve();
    service.server.tap(ADA);
    await service.server.says(RECORDED);
    await work(service);
    await service.server.kill();
  }

  /** Sends items as a station. */
  async function send({ url }: Service, store: string, items: readonly object[]): Promise<void> {
    const { output } = await call('token', 'add', 'hall', '--role', 'station', '--store', store);
    const response = await fetch(`${url}/api/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${output.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ run: 'r', after: 0, through: items.length },
        items: items.map((item, index) => ({ ...item, cursor: index + 1 })),
        status: { waiting: 0, provisional: 0, isClockTrusted: true, version: 'x' },
      }),
    });
    expect(response.status).to.equal(200);
  }

  const scans = (): readonly object[] =>
    Array.from({ length: 900 }, (_, ahead) => ({
      ...{ kind: 'scan', id: BOB },
      ...{ day: Math.floor(now() / DAY) + ahead, at: now() + ahead * DAY },
    }));
  const entries = (): readonly object[] =>
    [2, 30, 300].map((ahead) => ({
      ...{ kind: 'entries', day: Math.floor(now() / DAY) + ahead },
      entries: [{ id: BOB, first: now() + ahead * DAY, last: now() + ahead * DAY + 9, count: 5 }],
    }));

  /** It is trusted after the next start, and a tap is recorded today. */
  async function expectRight(): Promise<void> {
    const { server, http } = await serve();
    const { now: clock } = await http.json<{ now: { isTrusted: boolean; latestScan: number } }>('/api/today');
    expect(clock.isTrusted).to.equal(true);
    expect(clock.latestScan).to.be.within(now() - 300, now());
    server.tap(ADA);
    await server.says(RECORDED);
    expect(await http.json('/api/provisional')).to.deep.equal({ waiting: [], estimated: [] });
  }

  it('is right if they come from a station', async () => {
    await live((service) => send(service, storeOf('store'), scans()));
    await expectRight();
  });

  it('is right if they are entries of a station', async () => {
    await live((service) => send(service, storeOf('store'), entries()));
    await expectRight();
  });

  it('is right if they come from a backup', async () => {
    await live();
    const far = now() + 40 * DAY;
    const lines = [
      { kind: 'tallybook', version: 1 },
      { kind: 'entry', day: Math.floor(far / DAY), id: BOB, first: far, last: far, count: 1 },
    ];
    await writeFile(folder.path('backup'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect((await call('import', folder.path('backup'), '--store', storeOf('store'))).exitCode).to.equal(0);
    await expectRight();
  });

  it('is right if they come from another store', async () => {
    const other = await serve('other');
    await send(other, storeOf('other'), scans());
    await other.server.kill();
    await live();
    const copy = ['copy', '--merge', '--from', storeOf('other'), '--to', storeOf('store')];
    expect((await call(...copy)).exitCode).to.equal(0);
    await expectRight();
  });
});
