import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { expect } from 'chai';
import { call } from '../fixtures/processes/called.js';
import { noMidnight } from '../fixtures/processes/no-midnight.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import { program, ServerProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const TAGS = 300_000;
const NAMES = 1_000_000;
const AT_ONCE = 6;
const LINES_OF_WRITE = 10_000;

const idOf = (n: number): string => `04${n.toString(16).toUpperCase().padStart(8, '0')}`;

/** Writes a backup with many names, and many tags on the present day. */
async function writeBackup(path: string, names: number): Promise<void> {
  const file = createWriteStream(path);
  const now = Math.floor(Date.now() / 1_000);
  // The day begins twelve hours from now: see `noMidnight`.
  const day = Math.floor((now - 43_200) / 86_400);
  const write = async (count: number, lineOf: (n: number) => object): Promise<void> => {
    for (let n = 0; n < count; n += LINES_OF_WRITE) {
      const size = Math.min(LINES_OF_WRITE, count - n);
      const lines = Array.from({ length: size }, (_, m) => `${JSON.stringify(lineOf(n + m))}\n`);
      if (!file.write(lines.join(''))) await once(file, 'drain');
    }
  };
  await write(1, () => ({ kind: 'tallybook', version: 1 }));
  await write(names, (n) => ({ kind: 'name', id: idOf(n), first: `First ${n}`, last: `Last ${n}` }));
  await write(TAGS, (n) => ({ kind: 'entry', day, id: idOf(n), first: now - 60, last: now, count: 2 }));
  file.end();
  await once(file, 'close');
}

describe('A service with a heap of 200 MB', () => {
  const { add } = runningProcesses();
  const folder = temporaryFolder();

  async function start(names: number): Promise<{ service: ServerProcess; url: string }> {
    await writeBackup(folder.path('backup'), names);
    const store = `level:${folder.path('store')}`;
    const { exitCode, errors } = await call('import', '--store', store, folder.path('backup'));
    expect(exitCode, errors).to.equal(0);
    const options = ['serve', '--port', '0', '--store', store, '--clock', 'trusted', ...noMidnight()];
    const service = add(new ServerProcess(['--max-old-space-size=200', program, ...options]));
    return { service, url: await service.url() };
  }

  async function get(url: string): Promise<{ status: number; bytes: number; reason: string }> {
    // The service closes connections that were idle for a while, perhaps in the instant of the next request.
    const response = await fetch(url, { headers: { Connection: 'close' } });
    let bytes = 0;
    let reason = '';
    for await (const chunk of response.body ?? []) {
      bytes += (chunk as Uint8Array).length;
      if (response.status !== 200) reason += String(Buffer.from(chunk as Uint8Array));
    }
    return { status: response.status, bytes, reason };
  }

  async function pathsOf(url: string): Promise<readonly string[]> {
    const response = await fetch(`${url}/api/time`, { headers: { accept: 'application/json' } });
    const { day, time } = (await response.json()) as { readonly day: number; readonly time: number };
    const range = `from=${time - 20 * 86_400}&to=${time}`;
    return [
      `/api/day?day=${day}`,
      `/api/day?day=${day}&expand=entries`,
      '/api/today',
      '/api/days?from=0&to=99999999999',
      '/api/unnamed?days=3660',
      `/api/table?${range}`,
      `/api/table?${range}&pseudonyms=1`,
      ...['csv', 'xlsx'].flatMap((file) => [`/api/${file}?${range}`, `/api/${file}?${range}&shape=entries`]),
      '/api/corrections?from=0&to=99999999999',
      `/api/person/data?id=${idOf(1)}`,
      '/api/export',
      '/api/mapping',
      '/api/mappings',
      '/api/provisional',
      '/api/retention?keep=1days',
    ];
  }

  /** Sends all requests at once. Each must be answered with 200, or with 503 and a reason, while the service lives. */
  async function expectAnswers(service: ServerProcess, urls: readonly string[]): Promise<void> {
    const answers = await Promise.all(urls.map((url) => get(url)));
    for (const [n, { status, reason }] of answers.entries()) {
      expect(status, `${urls[n]}: ${reason}`).to.be.oneOf([200, 503]);
      if (status === 503) expect(reason).to.match(/; try again later$|has more than \d+ /);
    }
    expect(service.child.exitCode).to.equal(null);
  }

  it('answers every request with 200 or 503, and lives, with 300,000 tags on a day', async () => {
    const { service, url } = await start(0);
    const paths = await pathsOf(url);
    for (const path of paths) {
      await expectAnswers(
        service,
        Array.from({ length: AT_ONCE }, () => url + path),
      );
    }
    await expectAnswers(
      service,
      [...paths, ...paths].map((path) => url + path),
    );
    for (const path of paths.filter((each) => /day|today|unnamed|entries|export/.test(each))) {
      expect((await get(url + path)).status, path).to.equal(200);
    }
    service.tap('0011223344');
    await service.says(/scan recorded/);
  }).timeout(300_000);

  it('answers every request with 200 or 503, and lives, with 1,000,000 names too', async () => {
    const { service, url } = await start(NAMES);
    const paths = await pathsOf(url);
    const names = Array.from({ length: AT_ONCE }, () => `${url}/api/mapping`);
    await expectAnswers(service, names);
    await expectAnswers(
      service,
      paths.map((path) => url + path),
    );
    expect((await get(`${url}/api/mapping`)).bytes).to.be.above(50 * NAMES);
    expect((await get(`${url}/api/export`)).status).to.equal(200);
  }).timeout(600_000);

  it('answers the present day while a client lists unnamed tags sixty times', async () => {
    const { service, url } = await start(0);
    const leaving = new AbortController();
    let listed = 0;
    const hog = Array.from({ length: 60 }, (_, n) =>
      fetch(`${url}/api/unnamed?days=${n + 1}`, { signal: leaving.signal })
        .then((response) => response.text())
        .then(() => listed++)
        .catch(() => undefined),
    );
    expect((await get(`${url}/api/today`)).status).to.equal(200);
    expect(listed).to.be.below(20);
    leaving.abort();
    await Promise.all(hog);
    // The others are given up with their client: this one would wait too long for them.
    expect((await get(`${url}/api/corrections?from=0&to=1`)).status).to.equal(200);
    expect(service.child.exitCode).to.equal(null);
  }).timeout(300_000);
});
