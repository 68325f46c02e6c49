import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { call } from '../fixtures/processes/called.js';
import { makeCertificate } from '../fixtures/http/certificate.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const [ADA, GRACE, VISITOR, LATE] = ['04A2B3C4D5', '0011223344', '0102030405', '0102030406'];

const protocol = readFileSync(
  new URL('../../../../docs/reference/sync-protocol.md', import.meta.url),
  'utf8',
);

interface Upstream {
  readonly connection: string;
  readonly waiting: number;
  readonly refusedCount: number;
  readonly lastFault: { readonly code: string; readonly message: string } | null;
}

/** Asks until it is so, which the mocha of this test waits for. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}

/** A process that is asked over HTTP. */
class Device {
  readonly process: TallybookProcess;
  readonly http: HttpClient;
  readonly url: string;

  private constructor(process: TallybookProcess, url: string) {
    this.process = process;
    this.url = url;
    this.http = new HttpClient(url);
  }

  static async start(store: string, ...settings: readonly string[]): Promise<Device> {
    const process = new TallybookProcess(
      ...['serve', '--clock', 'trusted', '--repeat-window', '0s', '--store', store, ...settings],
    );
    return new Device(process, await process.url());
  }

  async tags(): Promise<string[]> {
    return (await this.http.allEntries()).map(({ id }) => id);
  }

  async upstream(): Promise<Upstream> {
    return (await this.http.json<{ upstream: Upstream }>('/api/status')).upstream;
  }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('A station and its centre, each a process', () => {
  const folder = temporaryFolder();
  const running: TallybookProcess[] = [];
  let centre: Device;

  const storeOf = (name: string): string => `level:${folder.path(name)}`;

  async function startCentre(port = '0'): Promise<Device> {
    centre = await Device.start(storeOf('centre'), '--port', port);
    running.push(centre.process);
    return centre;
  }

  async function startStation(...settings: readonly string[]): Promise<Device> {
    const args = ['--upstream', centre.url, '--upstream-token-file', folder.path('token'), ...settings];
    const station = await Device.start(storeOf('station'), '--port', '0', ...args);
    running.push(station.process);
    return station;
  }

  /** Makes a token at the centre, and returns its id. */
  async function makeToken(): Promise<string> {
    const { output, errors } = await call(
      ...['token', 'add', 'hall', '--role', 'station', '--store', storeOf('centre')],
    );
    await writeFile(folder.path('token'), output, { mode: 0o600 });
    return /^token (\S+) /.exec(errors)?.[1] ?? '';
  }

  beforeEach(async () => {
    await startCentre();
    await makeToken();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.kill()));
  });

  it('have the same taps, names and corrections, wherever they come from', async () => {
    const station = await startStation();
    station.process.tap(ADA);
    await until(async () => (await centre.tags()).includes(ADA));
    await station.http.putName(ADA, 'Lovelace');
    await until(async () => (await centre.http.mapping())[ADA]?.last === 'Lovelace');
    await centre.http.putName(GRACE, 'Hopper');
    await until(async () => (await station.http.mapping())[GRACE]?.last === 'Hopper');
    const day = Math.floor(Date.now() / 86_400_000);
    const corrections = `/api/corrections?from=${day * 86_400}&to=${day * 86_400}`;
    const missing = { action: 'add', day, reason: 'Forgot to tap' };
    await centre.http.post('/api/corrections', { ...missing, id: GRACE, at: day * 86_400 });
    await until(async () => (await station.http.json<unknown[]>(corrections)).length === 1);
    await station.http.post('/api/corrections', { ...missing, id: ADA, at: day * 86_400 });
    await until(async () => (await centre.http.json<unknown[]>(corrections)).length === 2);
    await centre.http.post('/api/erasures', { ids: [ADA] });
    await until(async () => !(await station.tags()).includes(ADA));
    expect(await station.http.mapping()).to.not.have.property(ADA);
  });

  it('lose nothing when both are killed while the centre is away', async () => {
    let station = await startStation();
    station.process.tap(ADA);
    await until(async () => (await centre.tags()).includes(ADA));
    const { port } = new URL(centre.url);
    await centre.process.kill();
    station.process.tap(VISITOR);
    await until(async () => (await station.tags()).includes(VISITOR));
    await station.http.putName(ADA, 'Lovelace');
    await until(async () => (await station.upstream()).connection === 'waiting');
    // The answer to the first tap may have been lost with the centre.
    expect((await station.upstream()).waiting).to.be.at.least(2);
    await station.process.kill();
    station = await startStation();
    // Its light goes on without the centre.
    station.process.tap(LATE);
    await until(async () => (await station.tags()).includes(LATE));
    await startCentre(port);
    await until(async () => (await centre.tags()).length === 3);
    await until(async () => (await centre.http.mapping())[ADA]?.last === 'Lovelace');
    expect((await centre.tags()).sort()).to.deep.equal([VISITOR, LATE, ADA].sort());
  });

  it('share what was recorded before they knew of each other', async () => {
    await centre.http.putName(GRACE, 'Hopper');
    const alone = await Device.start(storeOf('station'), '--port', '0');
    running.push(alone.process);
    alone.process.tap(ADA);
    await until(async () => (await alone.tags()).includes(ADA));
    await alone.http.putName(ADA, 'Lovelace');
    await alone.process.kill();
    const station = await startStation();
    await until(async () => (await centre.tags()).includes(ADA));
    await until(async () => Object.keys(await centre.http.mapping()).length === 2);
    await until(async () => Object.keys(await station.http.mapping()).length === 2);
  });

  it('are named by the label of the token, listed and forgotten by a command', async () => {
    const station = await startStation();
    station.process.tap(ADA);
    await until(async () => (await centre.tags()).includes(ADA));
    const inCentre = (...args: readonly string[]): ReturnType<typeof call> =>
      call('stations', ...args, '--store', storeOf('centre'));
    await until(async () => /^hall .* UTC +0 /m.test((await inCentre()).output));
    const [heads = '', row = ''] = (await inCentre()).output.split('\n');
    expect(heads.split(/ {2,}/)).to.deep.equal([
      ...['STATION', 'HEARD', 'WAITING', 'SINCE', 'PROVISIONAL', 'CLOCK', 'REFUSED', 'RELEASE'],
    ]);
    const { version } = await station.http.json<{ version: string }>('/api/status');
    expect(row.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'then').split(/ {2,}/)).to.deep.equal([
      ...['hall', 'then UTC', '0', '-', '0', 'right', '0', version],
    ]);
    const [listed] = JSON.parse((await inCentre('list', '--json')).output) as { name: string }[];
    expect(listed).to.include({ name: 'hall', waiting: 0 });
    await station.process.kill();
    expect((await inCentre('forget', 'nobody')).exitCode).to.equal(2);
    expect((await inCentre('forget', 'hall')).output).to.match(
      /^"hall" is forgotten; what it recorded stays/,
    );
    expect((await inCentre()).output).to.equal('no station has sent anything yet\n');
    await centre.process.kill();
    // Also while the service does not run.
    expect((await inCentre('list')).output).to.equal('no station has sent anything yet\n');
  });

  it('stop for a token that was revoked, say why, and go on with another one', async () => {
    const id = await makeToken();
    // On a service without users, who shows a token that is worth nothing is anybody.
    const inCentre = (...args: readonly string[]): ReturnType<typeof call> =>
      call(...args, '--store', storeOf('centre'));
    expect((await inCentre('user', 'add', 'ada', '--role', 'admin', '--no-password')).exitCode).to.equal(0);
    const station = await startStation();
    await until(async () => (await station.upstream()).connection === 'connected');
    expect((await inCentre('token', 'revoke', id)).exitCode).to.equal(0);
    station.process.tap(ADA);
    await until(async () => (await station.upstream()).lastFault?.code === 'NOT_SIGNED_IN');
    expect((await station.upstream()).waiting).to.equal(1);
    const token = (await readFile(folder.path('token'), 'utf8')).trim();
    expect(station.process.text).to.not.include(token);
    await makeToken();
    await station.process.says(/the centre is reached again/);
    await until(async () => (await station.upstream()).waiting === 0);
  });

  it('are strangers if the certificate of the centre is not trusted: it gets no token', async () => {
    let requests = 0;
    const stranger = createServer(makeCertificate(), () => requests++).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const station = await startStation('--upstream', `https://127.0.0.1:${port}`);
    await until(async () => (await station.upstream()).lastFault !== null);
    const { lastFault } = await station.upstream();
    expect(lastFault?.message).to.match(/has no certificate that is trusted; .*NODE_EXTRA_CA_CERTS/);
    expect(requests).to.equal(0);
    const closed = once(stranger, 'close');
    stranger.close();
    stranger.closeAllConnections();
    await closed;
  });

  it('say at the start when others can read the token', async () => {
    await chmod(folder.path('token'), 0o644);
    const station = await startStation();
    await station.process.says(/others on this machine can read the token of this station/);
  });

  it('are no centre themselves: what their own stations change would be overwritten', async () => {
    const station = await startStation();
    const response = await fetch(`${station.url}/api/stations`);
    await response.arrayBuffer();
    expect(response.status).to.equal(404);
  });

  it('stop at once, also while one waits for the other', async () => {
    const station = await startStation();
    await until(async () => (await station.upstream()).connection === 'connected');
    for (const { process } of [centre, station]) {
      process.child.kill('SIGTERM');
      expect(await process.exited).to.equal(0);
    }
  });
});

describe('The page of synchronisation', () => {
  const folder = temporaryFolder();

  it('has commands for curl that work', async function () {
    if (!isInstalled('curl')) this.skip('curl is not installed');
    const store = `level:${folder.path('centre')}`;
    const centre = await Device.start(store, '--port', '0');
    try {
      const { output } = await call('token', 'add', 'hall', '--role', 'station', '--store', store);
      const [, byHand = ''] = protocol.split('## By hand');
      const scripts = [...byHand.matchAll(/^```sh\n(.*?)^```/gms)].map(([, script = '']) => script);
      const run = (command: string): string => {
        const script = `TOKEN=${output.trim()}\nCENTRE=${centre.url}\n${command}`;
        return execFileSync('/bin/sh', ['-c', script], {
          stdio: ['ignore', 'pipe', 'ignore'],
          encoding: 'utf8',
        });
      };
      const curlsOf = (script = ''): string[] =>
        script.split(/^(?=curl )/m).filter((each) => each.startsWith('curl '));
      const [push = ''] = curlsOf(scripts[0]);
      const [gap = ''] = curlsOf(scripts[1]);
      const [snapshot = '', changes = ''] = curlsOf(scripts[2]);
      for (let time = 0; time < 2; time++) {
        expect(JSON.parse(run(push))).to.include({ run: 'by-hand', acknowledged: 1 });
      }
      expect(JSON.parse(run(gap))).to.include({ status: 409, code: 'SYNC_GAP', expected: 1 });
      const [head = ''] = run(snapshot).split('\n');
      const { origin, cursor } = JSON.parse(head) as { origin: string; cursor: number };
      const again = changes
        .replace('ORIGIN', origin)
        .replace('CURSOR', String(cursor))
        .replace('wait=25', 'wait=0');
      expect(JSON.parse(run(again))).to.include({ origin, cursor });
      expect(await centre.tags()).to.deep.equal([ADA]);
    } finally {
      await centre.process.kill();
    }
  });
});
