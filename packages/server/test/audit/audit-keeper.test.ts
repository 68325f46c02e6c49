import { SystemSecrets } from '@tallybook/system';
import { expect } from 'chai';
import { TallybookError, Timekeeper } from '@tallybook/domain';
import { AuditTrail, type AuditEntry } from '@tallybook/domain/access';
import { ManualClock, MemoryAuditStore } from '@tallybook/testing';
import type { RepairReport } from '@tallybook/store-level';
import { AuditKeeper } from '../../src/audit/audit-keeper.js';
import { noRows } from '../fixtures/stores/no-rows.js';
import { recordedLog } from '../fixtures/logged.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

async function setUp(days: number, repairs: RepairReport[] = []) {
  const clock = new ManualClock();
  const entries: AuditEntry[] = [];
  const store = new MemoryAuditStore(entries);
  await store.open();
  const timekeeper = new Timekeeper(clock);
  const trail = new AuditTrail({ store, digest: (text) => new SystemSecrets().digest(text), timekeeper });
  const { log, lines } = recordedLog();
  const keeper = new AuditKeeper({ trail, timekeeper, log, repairs }, days);
  return { clock, entries, store, trail, lines, keeper };
}

describe('AuditKeeper', () => {
  it('logs the end of the trail when it opens, once a day, and when it closes', async () => {
    const { clock, trail, lines, keeper } = await setUp(400);
    await trail.note('ada', 'name-set');
    await keeper.open();
    await trail.note('ada', 'name-set');
    clock.advance(MINUTE);
    await lines.count(2);
    await trail.note('ada', 'name-set');
    await keeper.close();
    const heads = (await trail.read(0, 10)).map(({ number, hash }) => `${number}:${hash}`);
    expect(lines.values.map(({ audit }) => audit)).to.deep.equal(heads);
  });

  it('closes when its current removal has ended, and logs no faults of the trail afterwards', async () => {
    const { clock, store, trail, lines, keeper } = await setUp(10);
    await trail.note('ada', 'name-set');
    clock.advance(11 * DAY);
    await keeper.open();
    const read = store.read.bind(store);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    store.read = async (...args) => {
      await held;
      return read(...args);
    };
    clock.advance(MINUTE);
    let isClosed = false;
    const closing = keeper.close().then(() => (isClosed = true));
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(isClosed).to.equal(false);
    goOn();
    await closing;
    expect(lines.values.map(({ removed }) => removed)).to.include(1);
    const before = lines.values.length;
    store.appendNext = () => Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'the disk is full'));
    await trail.note('ada', 'name-set');
    expect(lines.values).to.have.length(before);
  });

  it('logs nothing about an empty trail', async () => {
    const { lines, keeper } = await setUp(400);
    await keeper.open();
    await keeper.close();
    expect(lines.values).to.deep.equal([]);
  });

  it('removes entries older than a number of days, and logs that', async () => {
    const { clock, entries, trail, lines, keeper } = await setUp(10);
    await trail.note('ada', 'name-set');
    await keeper.open();
    clock.advance(11 * DAY);
    // The first look happens after a minute.
    await lines.count(2);
    await new Promise(setImmediate);
    clock.advance(DAY);
    await lines.find(
      'the removal',
      ({ msg, removed, days }) =>
        msg === 'removed old entries of the audit trail' && removed === 1 && days === 10,
    );
    expect(entries.map(({ action }) => action)).to.deep.equal(['audit-shortened']);
    await keeper.close();
  });

  it('keeps all entries with 0 days', async () => {
    const { clock, entries, trail, lines, keeper } = await setUp(0);
    await trail.note('ada', 'name-set');
    await keeper.open();
    clock.advance(10_000 * DAY);
    await lines.count(2);
    expect(entries.map(({ action }) => action)).to.deep.equal(['name-set']);
    await keeper.close();
  });

  it('continues when the store cannot be read or written, and logs that', async () => {
    const { clock, store, trail, lines, keeper } = await setUp(10);
    await trail.note('ada', 'name-set');
    await keeper.open();
    const failure = (): Promise<never> => Promise.reject(new TallybookError('STORE_READ_FAILED', 'gone'));
    store.read = failure;
    store.latest = failure;
    clock.advance(MINUTE);
    const said = (text: string): Promise<unknown> => lines.find(text, ({ msg }) => msg === text);
    await said('could not remove old entries of the audit trail');
    await said('could not read where the audit trail ends');
    store.appendNext = () => Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'full'));
    await trail.note('ada', 'name-removed', { id: '010203' });
    expect(lines.values.at(-1)).to.deep.include({
      ...{ level: 50, msg: 'could not write to the audit trail; it is tried again with the next entry' },
      note: { at: clock.now(), actor: 'ada', action: 'name-removed', details: { id: '010203' } },
    });
    await keeper.close();
    expect(lines.values.at(-1)).to.deep.include({
      ...{ level: 50, lost: 1 },
      msg: 'entries of the audit trail in memory are lost: the log has each of them, where its write failed',
    });
  });

  it('notes a repair at the opening of the store once', async () => {
    const report: RepairReport = {
      ...{ damages: ['a'], saved: { ...noRows, names: 3, users: 2 }, rescuedRows: 0, damagedRows: 1 },
      ...{
        lostChanges: 0,
        brokenBlocks: 0,
        missingCommits: 4,
        isMissingAtMost: false,
        keptIn: '/s/damaged-1',
      },
    };
    const repairs = [report];
    const { entries, keeper } = await setUp(400, repairs);
    await keeper.open();
    await keeper.close();
    await keeper.open();
    await keeper.close();
    expect(entries).to.have.lengthOf(1);
    expect(entries[0]).to.deep.include({ actor: 'the service', action: 'store-repaired' });
    expect(entries[0]?.details).to.include({ names: 3, users: 2, damagedRows: 1, missingCommits: 4 });
  });
});
