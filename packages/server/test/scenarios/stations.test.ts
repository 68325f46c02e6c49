import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { call } from '../fixtures/processes/called.js';
import { Centre, Device, until } from '../fixtures/processes/centre.js';
import { isInstalled } from '../fixtures/processes/is-installed.js';
import { makeCertificate } from '../../../testing/test/fixtures/certificate.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const [ADA, GRACE] = ['04A2B3C4D5', '0011223344', '0102030405', '0102030406'];

const protocol = readFileSync(
  new URL('../../../../docs/reference/sync-protocol.md', import.meta.url),
  'utf8',
);

describe('A station and its centre, as processes', () => {
  const centre = new Centre();

  /** Sends items directly, with the token of the station. */
  const send = async (url: string, items: readonly { readonly cursor: number }[]): Promise<object> => {
    const token = (await readFile(centre.folder.path('token'), 'utf8')).trim();
    const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: 'by-hand' };
    const through = items.at(-1)?.cursor ?? 0;
    const response = await fetch(`${url}/api/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ run: 'by-hand', after: 0, through, items, status }),
    });
    return (await response.json()) as object;
  };

  it('are named by the label of the token, and a command lists and forgets them', async () => {
    const station = await centre.startStation();
    station.process.tap(ADA);
    await until(async () => (await centre.device.tags()).includes(ADA));
    // A station sends its whole record first. After it has received a name from the centre and sent it back, it sends
    // nothing more.
    await centre.device.http.putName(GRACE, 'Hopper');
    await until(async () => GRACE in (await station.http.mapping()));
    await until(async () => (await station.upstream()).waiting === 0);
    const inCentre = (...args: readonly string[]): ReturnType<typeof call> =>
      call('stations', ...args, '--store', centre.storeOf('centre'));
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
    expect((await inCentre('forget', 'hall')).output).to.match(/^"hall" is off the list; its record stays/);
    expect((await inCentre()).output).to.equal('no station has sent anything yet\n');
    await centre.device.process.kill();
    // The same command without the service.
    expect((await inCentre('list')).output).to.equal('no station has sent anything yet\n');
  });

  it('do not connect if the certificate of the centre is not trusted: the centre gets no token', async () => {
    let requests = 0;
    const stranger = createServer(makeCertificate(), () => requests++).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const station = await centre.startStation('--upstream', `https://127.0.0.1:${port}`);
    await until(async () => (await station.upstream()).lastFault !== null);
    const { lastFault } = await station.upstream();
    expect(lastFault?.message).to.match(/has no certificate that is trusted; .*NODE_EXTRA_CA_CERTS/);
    expect(requests).to.equal(0);
    const closed = once(stranger, 'close');
    stranger.close();
    stranger.closeAllConnections();
    await closed;
  });

  it('warn at the start if others can read the token', async () => {
    await chmod(centre.folder.path('token'), 0o644);
    const station = await centre.startStation();
    await station.process.says(/others on this machine can read the token of this station/);
  });

  it('keep an erasure for which the centre has no room, and show that in health and log', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const erasures = Array.from({ length: 64 }, (_, n) => {
      const digits = n.toString(16).padStart(32, '0');
      const erasure = { key: digits, digest: digits, from: 0, until: now - 60, expiresAt: now + 86_400 };
      return { cursor: n + 1, kind: 'erasure', erasure };
    });
    const answer = await send(centre.device.url, erasures);
    expect(answer).to.have.nested.property('refused[0].code', 'TOO_MANY_ERASURE_KEYS');
    expect(answer).to.have.nested.property('refused.length', 1);
    // The station erases before it knows a key of the centre.
    const alone = await centre.startAlone('station', '--port', '0');
    await alone.http.post('/api/erasures', { ids: [ADA] });
    await alone.process.kill();
    const station = await centre.startStation();
    await station.process.says(/TOO_MANY_ERASURE_KEYS/);
    const isWarned = async (): Promise<boolean> =>
      JSON.stringify(await station.http.json('/api/health')).includes(
        'refused 1 change, the last one with TOO_MANY_ERASURE_KEYS',
      );
    await until(isWarned);
    // Its own erasure stays, beside those from the centre.
    await until(async () => (await station.http.json<unknown[]>('/api/erasures')).length === 64);
  });

  it('cannot be a centre at the same time: changes of their own stations would be overwritten', async () => {
    const station = await centre.startStation();
    const response = await fetch(`${station.url}/api/stations`);
    await response.arrayBuffer();
    expect(response.status).to.equal(404);
  });
});

describe('The page of synchronisation', () => {
  const folder = temporaryFolder();

  it('has working commands for curl', async function () {
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
