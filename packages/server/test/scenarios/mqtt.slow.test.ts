import { setTimeout as pause } from 'node:timers/promises';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { PluggableBroker } from '../../../devices/test/mqtt/pluggable-broker.js';
import { HttpClient, type EntryAnswer } from '../fixtures/http/http-client.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import { storedService } from '../fixtures/processes/stored-service.js';

const KILLS = 3;
/** Number of taps that wait at the broker at each start. */
const BATCH = 100;
const TAPS = KILLS * BATCH;
const LAST = 'CD00000000';

describe('tallybook serve, with a reader behind a broker', () => {
  const service = storedService();
  let broker: PluggableBroker;

  beforeEach(async () => {
    broker = await PluggableBroker.create();
  });

  afterEach(async () => {
    await broker.dispose();
  });

  const serve = (): TallybookProcess =>
    service.serve('--reader', `mqtt://127.0.0.1:${broker.port}/door?name=door`);

  type Entries = readonly EntryAnswer[];

  async function untilRecorded(url: string, isEnough: (entries: Entries) => boolean): Promise<Entries> {
    for (;;) {
      // Those of all days, because midnight may pass meanwhile.
      const entries = await new HttpClient(url).allEntries();
      if (isEnough(entries)) return entries;
      await pause(10);
    }
  }

  it('stops in time when the broker of a reader, an indicator and a publisher falls silent', async () => {
    const url = `mqtt://127.0.0.1:${broker.port}`;
    const statuses = new Recorder(broker.published);
    const process = service.serve(
      ...['--reader', `${url}/door`, '--indicator', `${url}/light`, '--publish', `${url}/attendance`],
    );
    const isOnline = ({ payload }: { readonly payload: string }): boolean => payload === 'online';
    await statuses.find('three online', () => statuses.values.filter(isOnline).length === 3);
    await process.url();
    broker.deafen();
    process.child.kill('SIGTERM');
    expect(await process.exited).to.equal(0);
    expect(process.text).to.contain('stopped').and.not.to.contain('could not stop');
  });

  it(`loses no tap when it is killed ${KILLS} times, and counts at most the current one twice`, async () => {
    const statuses = new Recorder(broker.published);
    const first = serve();
    await statuses.find('online', ({ payload }) => payload === 'online');
    await first.kill();
    const ids = Array.from({ length: TAPS }, (_, tap) => `AB${String(tap).padStart(8, '0')}`);
    let recorded = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      for (const id of ids.slice((kill - 1) * BATCH, kill * BATCH)) await broker.publish('door', id);
      const server = serve();
      const entries = await untilRecorded(await server.url(), ({ length }) => length > recorded);
      await server.kill();
      recorded = entries.length;
    }
    const url = await serve().url();
    // Messages come in order, so the last one comes after all others.
    await broker.publish('door', LAST);
    const all = await untilRecorded(url, (entries) => entries.some(({ id }) => id === LAST));
    const entries = all.filter(({ id }) => id !== LAST);
    expect(entries.map(({ id }) => id).sort()).to.deep.equal(ids);
    const scans = entries.reduce((sum, { count }) => sum + count, 0);
    expect(scans)
      .to.be.at.least(TAPS)
      .and.at.most(TAPS + KILLS);
  });
});
