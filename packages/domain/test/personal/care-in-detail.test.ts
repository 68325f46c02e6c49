import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { Calendar, Timekeeper, toDay, toTimestamp, type TallyId } from '@tallybook/domain';
import { correctDay, CorrectionService, type Correction } from '@tallybook/domain/record';
import { AuditTrail, type AuditEntry } from '@tallybook/domain/access';
import {
  auditSection,
  ErasureService,
  parseKeep,
  personData,
  RetentionService,
} from '@tallybook/domain/personal';
import { ManualClock, MemoryAuditStore } from '@tallybook/testing';
import { expect } from 'chai';
import { findExpired } from '../../src/access/audit/audit-chain.js';
import { ada, bob, itInWorld, NOW, TODAY } from './personal-world.js';
import { reading } from '../fixtures/streams.js';
import { addition } from '../fixtures/addition.js';

const today = toDay(TODAY);
const reason = 'Forgot to tap';
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

async function trailOf(count: number): Promise<{
  readonly entries: AuditEntry[];
  readonly store: MemoryAuditStore;
  readonly trail: AuditTrail;
}> {
  const clock = new ManualClock(NOW);
  const entries: AuditEntry[] = [];
  const store = new MemoryAuditStore(entries);
  await store.open();
  const trail = new AuditTrail({ store, digest, timekeeper: new Timekeeper(clock) });
  for (let n = 0; n < count; n++) {
    await trail.note('ada', 'name-set', { n });
    clock.advance(1_000);
  }
  return { entries, store, trail };
}

describe('a page of the audit trail', () => {
  it('is not sound if an entry differs from its hash, at any place', async () => {
    for (const index of [0, 4, 8]) {
      const { entries, trail } = await trailOf(9);
      expect((await trail.page(0, 9)).isWhole).to.equal(true);
      const entry = entries[index];
      if (entry !== undefined) entries[index] = { ...entry, actor: 'eve' };
      expect((await trail.page(0, 9)).isWhole, String(index)).to.equal(false);
    }
  });
});

describe('entries that are too old', () => {
  it('are those before a time, and none of that second itself', async () => {
    const { store } = await trailOf(5);
    const now = NOW + 100;
    expect((await findExpired(store, { now, before: NOW + 2 }))?.number).to.equal(2);
    expect(await findExpired(store, { now, before: NOW })).to.equal(undefined);
    // An entry of this second is not in the future.
    expect((await findExpired(store, { now: NOW, before: NOW + 1 }))?.number).to.equal(1);
  });
});

describe('a day on which all scans of several people are void', () => {
  it('lists them in the order of their tags', () => {
    const at = toTimestamp(NOW);
    const voidOf = (id: TallyId, number: number): Correction => ({
      ...{ number, ...addition({ day: today, id, at }), action: 'void' },
    });
    for (const ids of [
      [ada, bob],
      [bob, ada],
    ]) {
      const entries = ids.map((id) => ({ id, first: at, last: at, count: 1 }));
      const scans = new Map(ids.map((id) => [id, [at]]));
      const corrections = ids.map(voidOf);
      const corrected = correctDay(today, { record: { day: today, entries }, corrections, scans });
      expect(corrected?.voided.map(({ id }) => id)).to.deep.equal([bob, ada]);
    }
  });
});

describe('the list of days', () => {
  itInWorld('has days with only added scans, in their place among the others', async (world) => {
    for (const day of [5, 9]) await world.days.record(toDay(day), ada, toTimestamp(day * 86_400));
    const added = addition({ day: toDay(7), id: bob, at: toTimestamp(7 * 86_400) });
    await world.corrections.correct([added]);
    expect(await world.corrected.list(toDay(0), toDay(10))).to.deep.equal([5, 7, 9]);
  });
});

describe('without an audit trail, backups and a backlog', () => {
  itInWorld('corrections are made and decided', async (world) => {
    const { calendar, timekeeper, corrected: days, corrections } = world;
    const service = new CorrectionService(
      { days, corrections, calendar, timekeeper },
      { needsApproval: true },
    );
    const asked = { action: 'add', day: today, id: ada, at: toTimestamp(NOW - 60), reason } as const;
    await service.correct([asked], 'desk');
    await service.decide(1, { approve: true, by: 'boss' });
    expect((await world.days.load(today))?.entries).to.equal(undefined);
    expect((await days.load(today))?.entries.map(({ id }) => id)).to.deep.equal([ada]);
  });

  itInWorld('people are erased', async (world) => {
    const { erasures, timekeeper } = world;
    await world.days.record(today, ada, toTimestamp(NOW - 5));
    const report = await new ErasureService({ erasures, timekeeper }).erase([ada], {
      isDryRun: false,
      actor: 'Eve',
    });
    expect(report).to.deep.include({ isDryRun: false, backupsWithIt: [], formerFiles: [] });
    expect((await world.days.load(today))?.entries ?? []).to.deep.equal([]);
  });

  itInWorld('days that were kept long enough are removed', async (world) => {
    const { days, attendance, calendar, timekeeper } = world;
    for (let n = 0; n < 12; n++) {
      await days.record(toDay(TODAY - n), ada, toTimestamp(NOW - n * 86_400));
    }
    const retention = new RetentionService({ days, attendance, calendar, timekeeper }, parseKeep('10days'));
    const report = await retention.apply({ actor: 'console' });
    expect(report.days.map(({ day }) => day)).to.deep.equal([TODAY - 11]);
    expect(report.backups).to.deep.equal([]);
  });
});

describe('data that was kept long enough', () => {
  itInWorld('may be only backups, which is noted', async (world) => {
    await world.days.record(today, ada, toTimestamp(NOW));
    world.backups.files.set('old', { at: NOW - 11 * 86_400, ids: [] });
    await world.retention('10days').apply({ actor: 'console' });
    const before = new Date((TODAY - 10) * 86_400_000).toISOString().slice(0, 10);
    expect(world.notes).to.deep.equal([['console', 'retention-applied', { before, days: 0, backups: 1 }]]);
  });

  itInWorld('includes no backup while the first kept day has not begun by the clock', async (world) => {
    const { days, attendance, timekeeper, backups } = world;
    backups.files.set('old', { at: 0, ids: [] });
    const calendar = new Calendar({ zone: 'Pacific/Kiritimati' });
    world.clock.set(20_413 * 86_400 + 86_000);
    const parts = { days, attendance, calendar, timekeeper, backups };
    const plan = await new RetentionService(parts, parseKeep('100years')).plan();
    expect(plan).to.deep.include({ firstKept: 0, backups: [] });
  });
});

describe('the data of a person', () => {
  itInWorld('describe each of their parts, also actions of users of the service', async (world) => {
    const { store } = await trailOf(0);
    const sections = [auditSection(store)];
    const pieces = personData(ada, undefined, { erasures: world.erasures, sections });
    const { legend, ...parts } = (await json(pieces)) as {
      readonly legend: Readonly<Record<string, string>>;
    };
    for (const part of Object.keys(parts)) expect(legend[part], part).to.match(/^[A-Z].*\.$/);
  });

  itInWorld('have further sections, empty or not, with their legends', async (world) => {
    const section = (name: string, ...items: readonly object[]) => ({
      ...{ name, legend: `What is ${name}.` },
      read: () => reading(items),
    });
    const sections = [section('none'), section('one', { a: 1 }), section('two', { b: 1 }, { c: 2 })];
    const pieces = personData(ada, undefined, { erasures: world.erasures, sections });
    const data = (await json(pieces)) as Record<string, unknown>;
    expect(data).to.deep.include({ none: [], one: [{ a: 1 }], two: [{ b: 1 }, { c: 2 }], madeAt: null });
    expect(data['legend']).to.include({ none: 'What is none.', two: 'What is two.' });
  });
});
