import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TallybookError, Timekeeper, toTimestamp } from '@tallybook/domain';
import type { RefusedItem, StationSync, SyncTransport } from '@tallybook/domain/sync';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { UpstreamLink } from '../../src/wiring/upstream-link.js';
import { CountedEmitter } from '../fixtures/counted-emitter.js';
import { recordedLog } from '../fixtures/logged.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const NOW = 1_763_700_000;

describe('UpstreamLink', () => {
  const folder = temporaryFolder();

  function make(url = 'http://127.0.0.1:1') {
    const clock = new ManualClock(NOW);
    const faults = new CountedEmitter<unknown>();
    const refusals = new CountedEmitter<readonly RefusedItem[]>();
    const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };
    const report = {
      ...{ heardAt: undefined, error: undefined, status, refused: [], refusedCount: 0 },
    };
    const done = (): Promise<void> => Promise.resolve();
    const station = { faults, refusals, open: done, close: done, report: () => Promise.resolve(report) };
    const plan = { url, tokenFile: folder.path('token'), allowsPlainHttp: false };
    const { log, lines } = recordedLog();
    const link = new UpstreamLink(plan, { timekeeper: new Timekeeper(clock), log });
    link.follow(station as unknown as StationSync);
    const transportOf = (): SyncTransport => {
      if (link.transport === undefined) throw new Error('there is no centre');
      return link.transport;
    };
    return { clock, faults, refusals, lines, link, station, transport: transportOf };
  }

  it('has the time of the last fault, in seconds of the present clock', async () => {
    const { clock, faults, link } = make();
    await using opened = link;
    await opened.open();
    clock.advance(5_000);
    faults.emit(new TallybookError('UPSTREAM_UNAVAILABLE', 'the network is away'));
    clock.advance(60_000);
    expect((await opened.read())?.lastFault).to.deep.equal({
      ...{ code: 'UPSTREAM_UNAVAILABLE', message: 'the network is away', at: toTimestamp(NOW + 5) },
    });
  });

  it('is connected after an answer of the centre, until a failure', async () => {
    const { link, station } = make();
    const report = await station.report();
    const refused = [{ cursor: 7, code: 'TAG_ERASED', message: 'erased', at: toTimestamp(NOW) }];
    for (const [heardAt, failed, connection] of [
      [undefined, undefined, 'waiting'],
      [undefined, new Error('away'), 'waiting'],
      [toTimestamp(NOW), new Error('away'), 'waiting'],
      [toTimestamp(NOW), undefined, 'connected'],
    ] as const) {
      const told = { ...report, heardAt, error: failed, refused, refusedCount: 7 };
      station.report = () => Promise.resolve(told as never);
      expect(await link.read()).to.deep.include({
        ...{ connection, centre: '127.0.0.1:1', lastContactAt: heardAt, waiting: 0, lastFault: undefined },
        ...{ refused, refusedCount: 7 },
      });
    }
  });

  it('passes on answers of the centre, and logs that it is reached', async () => {
    const terms = { origin: 'journal of the centre', cursor: 7, now: NOW };
    const acknowledged = { run: 'run', acknowledged: 7, refused: [], superseded: [], erasures: [], now: NOW };
    const centre = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      request.resume().once('end', () => {
        const lines = [
          { kind: 'head', ...terms },
          { kind: 'end', items: 0 },
        ].map((line) => JSON.stringify(line));
        if (request.url?.includes('snapshot') === true) response.end(`${lines.join('\n')}\n`);
        else response.end(JSON.stringify(request.method === 'POST' ? acknowledged : { ...terms, items: [] }));
      });
    }).listen(0, '127.0.0.1');
    await once(centre, 'listening');
    await writeFile(folder.path('token'), 'tb_token', { mode: 0o600 });
    const { port } = centre.address() as AddressInfo;
    const { transport, lines } = make(`http://127.0.0.1:${port}`);
    expect((await transport().changes(undefined, 0)).cursor).to.equal(7);
    expect(lines.values.map(({ msg }) => msg)).to.deep.equal(['the centre is reached']);
    const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };
    const answer = await transport().push({ run: 'run', after: 0, through: 7, items: [], status });
    expect(answer.acknowledged).to.equal(7);
    const parts: string[] = [];
    for await (const { kind } of transport().snapshot()) parts.push(kind);
    expect(parts).to.deep.equal(['head', 'end']);
    centre.closeAllConnections();
    centre.close();
  });

  it('listens to the station until it is closed', async () => {
    const { faults, refusals, link } = make();
    await link.open();
    expect([faults.listeners, refusals.listeners]).to.deep.equal([1, 1]);
    await link.close();
    expect([faults.listeners, refusals.listeners]).to.deep.equal([0, 0]);
  });
});
