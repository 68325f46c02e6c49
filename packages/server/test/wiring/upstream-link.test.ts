import {
  TallybookError,
  Timekeeper,
  toTimestamp,
  type RefusedItem,
  type StationSync,
} from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { UpstreamLink } from '../../src/wiring/upstream-link.js';
import { CountedEmitter } from '../fixtures/counted-emitter.js';
import { recordedLog } from '../fixtures/logged.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const NOW = 1_763_700_000;

describe('UpstreamLink', () => {
  const folder = temporaryFolder();

  function make() {
    const clock = new ManualClock(NOW);
    const faults = new CountedEmitter<unknown>();
    const refusals = new CountedEmitter<readonly RefusedItem[]>();
    const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };
    const report = { heardAt: undefined, error: undefined, status, refused: [], refusedCount: 0 };
    const done = (): Promise<void> => Promise.resolve();
    const station = { faults, refusals, open: done, close: done, report: () => Promise.resolve(report) };
    const plan = {
      ...{ url: 'http://127.0.0.1:1', tokenFile: folder.path('token'), allowsPlainHttp: false },
      createStation: () => station as unknown as StationSync,
    };
    const parts = { timekeeper: new Timekeeper(clock), log: recordedLog().log };
    return { clock, faults, refusals, link: new UpstreamLink(plan, parts) };
  }

  it('says when the last fault was, in seconds of the present clock', async () => {
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

  it('listens to the station until it is closed', async () => {
    const { faults, refusals, link } = make();
    await link.open();
    expect([faults.listeners, refusals.listeners]).to.deep.equal([1, 1]);
    await link.close();
    expect([faults.listeners, refusals.listeners]).to.deep.equal([0, 0]);
  });
});
