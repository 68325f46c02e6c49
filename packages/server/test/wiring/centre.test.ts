import { openAll, parseTallyId, TallybookError, toDay, toTimestamp } from '@tallybook/domain';
import type { CentreSync, SyncAnswer } from '@tallybook/domain/sync';
import { serviceId, type Settings } from '@tallybook/server';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { RELEASED_AT } from '../../src/config/released-at.js';
import { createStorage } from '../../src/config/stores.js';
import { containerOf } from '../fixtures/container-of.js';

// An earlier clock is not trusted.
const NOW = RELEASED_AT + 4 * 3_600;
const TODAY = RELEASED_AT / 86_400;
const id = parseTallyId('04A2B3C4D5');

describe('The centre of a server', () => {
  async function open(settings: Settings) {
    const clock = new ManualClock(NOW);
    const stores = createStorage('memory:');
    const container = containerOf(settings, { clock, storage: stores });
    const { centre: sync } = container.get(serviceId('tallybook'));
    if (sync === undefined) throw new Error('it is no centre');
    return { clock, stores, sync, opened: await openAll([stores, sync]) };
  }

  function push(sync: CentreSync, item: object): Promise<SyncAnswer> {
    const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };
    return sync.push('gate', { run: 'run', after: 0, through: 1, items: [{ ...item, cursor: 1 }], status });
  }

  it('sends its first kept day, unless the time is unknown', async () => {
    const { clock, sync, opened } = await open({ keep: '10days' });
    expect(await sync.changes(undefined, 0)).to.have.property('keepFrom', TODAY - 10);
    clock.setSynchronised(false);
    expect(await sync.changes(undefined, 0)).to.not.have.property('keepFrom');
    await opened.close();
  });

  it('sends no first kept day while the removal needs a confirmation', async () => {
    const { stores, sync, opened } = await open({ keep: '10days' });
    for (let back = 30; back >= 0; back--) {
      await stores.days.record(toDay(TODAY - back), id, toTimestamp(NOW - back * 86_400));
    }
    const old = { kind: 'scan', day: TODAY - 20, id, at: NOW - 20 * 86_400 - 60 };
    const answer = await push(sync, old);
    // It accepts scans of days whose removal it postpones.
    expect(answer.refused).to.deep.equal([]);
    expect(answer).to.not.have.property('keepFrom');
    expect(await sync.changes(undefined, 0)).to.not.have.property('keepFrom');
    for await (const part of sync.snapshot()) expect(part).to.not.have.property('keepFrom');
    for (let back = 30; back > 10; back--) await stores.days.remove(toDay(TODAY - back));
    expect(await sync.changes(undefined, 0)).to.have.property('keepFrom', TODAY - 10);
    await opened.close();
  });

  for (const approveCorrections of [true, false]) {
    const state = approveCorrections ? 'pending' : 'approved';
    it(`has corrections of a station as ${state} if ${approveCorrections ? 'somebody' : 'nobody'} must approve them`, async () => {
      const { stores, sync, opened } = await open({ approveCorrections: String(approveCorrections) });
      const [day, at] = [toDay(TODAY), toTimestamp(NOW - 60)];
      const made = { reason: 'Forgot to tap', author: 'desk', madeAt: at, state: 'approved' } as const;
      await push(sync, { kind: 'correction', correction: { action: 'add', day, id, at, ...made } });
      expect((await stores.corrections.list(day, day)).map((each) => each.state)).to.deep.equal([state]);
      await opened.close();
    });
  }

  for (const [store, what] of [
    ['memory:', 'refuses'],
    ['postgres://ada@127.0.0.1:1/base', 'takes no batch with'],
  ] as const) {
    it(`${what} items of a damaged row with ${store.split(':')[0] ?? ''}`, async () => {
      const { stores, sync, opened } = await open({ store });
      stores.days.record = () => Promise.reject(new TallybookError('STORE_CORRUPT', 'a row is damaged'));
      const pushed = push(sync, { kind: 'scan', day: TODAY, id, at: NOW - 60 });
      if (what === 'refuses') expect((await pushed).refused[0]).to.have.property('code', 'STORE_CORRUPT');
      else expect(await pushed.catch((error: unknown) => error)).to.have.property('code', 'STORE_CORRUPT');
      await opened.close();
    });
  }
});
