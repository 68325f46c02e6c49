import { parseTallyId, Timekeeper, toTimestamp } from '@tallybook/domain';
import { AuditTrail } from '@tallybook/domain/access';
import type { ErasureService, RetentionService } from '@tallybook/domain/personal';
import { SystemSecrets } from '@tallybook/system';
import { serviceId } from '@tallybook/server';
import { ManualClock, MemoryAuditStore } from '@tallybook/testing';
import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { AuditKeeper } from '../../src/audit/audit-keeper.js';
import { RELEASED_AT } from '../../src/config/released-at.js';
import { createStorage } from '../../src/config/stores.js';
import { DataUpkeep } from '../../src/wiring/data-upkeep.js';
import { recordedLog } from '../fixtures/logged.js';
import { containerOf } from '../fixtures/container-of.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Data are kept for ever. */
const retention = { guestLimit: () => undefined, today: () => 0 } as unknown as RetentionService;

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

/** A storage in memory that other servers use too if they use this one. */
function likeThatOf(store: string): ReturnType<typeof createStorage> {
  const { isShared = false } = createStorage(store);
  return Object.assign(createStorage('memory:'), { isShared });
}

describe('AuditKeeper', () => {
  it('checks after a minute, then once a day, or each hour while the clock is in doubt, until it is closed', async () => {
    const clock = new ManualClock();
    const appointments = watchAppointments(clock);
    const timekeeper = new Timekeeper(clock);
    const store = new MemoryAuditStore([]);
    await store.open();
    const trail = new AuditTrail({ store, digest: (text) => new SystemSecrets().digest(text), timekeeper });
    const keeper = new AuditKeeper({ trail, timekeeper, log: recordedLog().log, repairs: [] }, 400);
    await keeper.open();
    for (const isTrusted of [true, false, true]) {
      clock.setSynchronised(isTrusted);
      clock.advance(appointments.waiting[0] ?? 0);
      await settled();
    }
    const days = appointments.asked.map(([delayMs]) => delayMs);
    expect(days).to.deep.equal([MINUTE_MS, DAY_MS, HOUR_MS, DAY_MS]);
    for (const [, options] of appointments.asked) expect(options).to.deep.equal({ holdsProgram: false });
    await keeper.close();
    expect(appointments.waiting).to.deep.equal([]);
  });
});

describe('DataUpkeep', () => {
  it('checks five seconds after the start, then every ten minutes, until it is closed', async () => {
    const clock = new ManualClock();
    const appointments = watchAppointments(clock);
    const erasures = { tidy: () => Promise.resolve(true) } as unknown as ErasureService;
    const upkeep = new DataUpkeep({ erasures, retention, clock, log: recordedLog().log });
    await upkeep.open();
    for (let look = 0; look < 2; look++) {
      clock.advance(appointments.waiting[0] ?? 0);
      await settled();
    }
    expect(appointments.asked).to.deep.equal(
      [5_000, 600_000, 600_000].map((delayMs) => [delayMs, { holdsProgram: false }]),
    );
    await upkeep.close();
    expect(appointments.waiting).to.deep.equal([]);
  });

  it('plans no further check when it is closed in the middle of one', async () => {
    const clock = new ManualClock();
    const appointments = watchAppointments(clock);
    let finish: (isDone: boolean) => void = () => undefined;
    const erasures = { tidy: () => new Promise<boolean>((resolve) => (finish = resolve)) };
    const upkeep = new DataUpkeep({ erasures, retention, clock, log: recordedLog().log });
    await upkeep.open();
    clock.advance(5_000);
    const closing = upkeep.close();
    finish(true);
    await closing;
    await settled();
    expect(appointments.waiting).to.deep.equal([]);
  });
});

describe('the access of a server', () => {
  for (const [store, lookMs] of [
    ['memory:', 60_000],
    ['postgres://ada@127.0.0.1:1/base', 250],
  ] as const) {
    it(`is checked every ${lookMs} ms with ${store.split(':')[0] ?? ''}, because other servers may end a session`, async () => {
      const clock = new ManualClock();
      const appointments = watchAppointments(clock);
      const storage = likeThatOf(store);
      await storage.open();
      const container = containerOf({ store }, { clock, storage });
      const access = container.get(serviceId('tallybook')).access;
      await access.open();
      expect(appointments.waiting).to.deep.equal([lookMs]);
      await access.close();
    });
  }
});

describe('provisional scans that another server took', () => {
  for (const [store, leftMs] of [
    ['memory:', 0],
    ['postgres://ada@127.0.0.1:1/base', 900_000],
  ] as const) {
    it(`are left to it for ${leftMs} ms with ${store.split(':')[0] ?? ''}`, async () => {
      const now = RELEASED_AT + 3_600; // an earlier clock is not trusted
      const clock = new ManualClock(now);
      const storage = likeThatOf(store);
      const { provisional } = storage;
      await storage.open();
      const container = containerOf({ store }, { clock, storage });
      const shown = toTimestamp(now - 60);
      const tap = { id: parseTallyId('04A2B3C4D5'), reader: 'door', monotonicMs: 1, shown };
      await provisional.add({ ...tap, bootId: 'of the other one', notBefore: shown });
      const attendance = container.get(serviceId('tallybook')).attendance;
      await attendance.open();
      let passedMs = 0;
      while ((await provisional.list()).some(({ filing }) => filing?.isRecorded !== true)) {
        passedMs += 10_000;
        clock.advance(10_000);
        await settled();
      }
      expect(passedMs).to.be.within(leftMs, leftMs + 30_000);
      await attendance.close();
      await storage.close();
    });
  }
});
