import { Readable } from 'node:stream';
import { expect } from 'chai';
import { isTallybookError, toTimestamp, type TallyId } from '@tallybook/domain';
import { BackupService, ERASURE_KEYS_MAX, type Erasure, type NewCorrection } from '@tallybook/domain/record';
import { CentreSync } from '@tallybook/domain/sync';
import { ManualClock } from '@tallybook/testing';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { usePostgres, useStorages } from '../fixtures/postgres.js';
import { ada, bob, day } from '../../../testing/test/fixtures/known-values.js';

const at = toTimestamp(1_763_500_000);
const until = toTimestamp(at + 10);
const request = { ids: [ada], until, expiresAt: toTimestamp(at + 1_000_000) };

const timekeeper = { trust: () => ({ isTrusted: true }), now: () => toTimestamp(until + 3_600) };
const correctionOf = (id: TallyId): NewCorrection => ({
  ...({ action: 'add', day, id, at, reason: 'forgotten', author: 'eve' } as const),
  ...({ madeAt: at, state: 'approved' } as const),
});

describe('What another server has erased', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();

  /** Two servers over one site. */
  async function open(): Promise<readonly [InnerStorage, InnerStorage]> {
    const url = postgres.current.site();
    return [await storageOf(url), await storageOf(url)];
  }

  let one: InnerStorage;
  let other: InnerStorage;
  beforeEach(async () => {
    [one, other] = await open();
  });

  /** As far as a server comes that is killed at once. */
  async function leaveBegun({ inner }: InnerStorage): Promise<void> {
    await inner.write(async (transaction) => {
      const { key, digest } = inner.erasures.index.nameOf(ada);
      await transaction.write(
        `INSERT INTO tallybook.erasure (site, digest, key, from_at, until, expires_at, state)
          VALUES ($1, $2, $3, 0, $4, $5, 'begun')`,
        ...[digest, key, until, request.expiresAt],
      );
      transaction.touch('erasures');
    });
  }

  async function erasedIn({ journal }: InnerStorage): Promise<readonly string[]> {
    const page = await journal.read(0, 100);
    const entries = page.isKnown ? page.entries : [];
    return entries.flatMap(({ change }) => (change.kind === 'erased' ? [change.digest] : []));
  }

  it('is known after the next look', async () => {
    const looked = new Promise((resolve) => other.inner.changed.subscribe(resolve));
    await one.erasures.erase(request);
    await looked;
    // It is read after the look.
    await other.erasures.list();
    expect([ada, bob].map((id) => other.erasures.isRefused(id, until))).to.deep.equal([true, false]);
  });

  it('is not recorded any more, also by a server that has not looked since', async () => {
    await one.erasures.erase(request);
    const outcomes = await Promise.all([
      other.days.record(day, ada, at),
      other.days.record(day, bob, at),
      other.days.record(day, ada, toTimestamp(until + 1)),
    ]);
    expect(outcomes).to.deep.equal(['already-counted', 'counted', 'counted']);
    expect(await one.days.scans(day, ada)).to.deep.equal([until + 1]);
  });

  it('does not come back with a backup', async () => {
    await one.erasures.erase(request);
    await other.days.merge(day, [
      { id: ada, first: at, last: toTimestamp(until + 5), count: 3 },
      { id: bob, first: at, last: at, count: 1 },
    ]);
    const record = await one.days.load(day);
    expect(record?.entries.map(({ id, first, count }) => [id, first, count])).to.deep.equal([
      [bob, at, 1],
      [ada, until + 5, 1],
    ]);
  });

  it('does not come back by an import that is under way', async () => {
    const lines: string[] = [];
    const backupOf = ({ snapshots, mapping, days, corrections, erasures }: InnerStorage): BackupService =>
      new BackupService({
        ...{ snapshots, mapping, days, corrections, erasures },
        timekeeper: { ...timekeeper, now: () => at },
      });
    await one.mapping.put(ada, { first: 'Ada', last: '' });
    await one.mapping.put(bob, { first: 'Bob', last: '' });
    await one.days.record(day, ada, at);
    await one.corrections.correct([correctionOf(ada)]);
    for await (const line of backupOf(one).export()) lines.push(line);
    const restore = other.mapping.restore.bind(other.mapping);
    other.mapping.restore = async (id, name, knownAt) => {
      // Between the look of the import and its write.
      if (id === ada) await one.erasures.erase(request);
      return restore(id, name, knownAt);
    };
    const counts = await backupOf(other).import(() => Readable.from(lines));
    expect(counts.refused).to.equal(2);
    expect([...(await one.mapping.read()).keys()]).to.deep.equal([bob]);
    expect(await one.days.load(day)).to.equal(undefined);
    expect(await one.corrections.list(day, day)).to.deep.equal([]);
    // Not even that a name was taken away.
    const traces: unknown[] = [];
    for await (const trace of one.erasures.trace(ada)) traces.push(trace);
    expect(traces).to.deep.equal([]);
  });

  it('is refused of what a station sends, whose other items are taken', async () => {
    const { days, corrections, erasures, journal, stations, stampedNames: stamped } = other;
    const clock = new ManualClock(until + 3_600);
    const centre = new CentreSync({
      ...{ days, stamped, corrections, erasures, journal, stations, clock, timekeeper },
    });
    await centre.open();
    await one.erasures.erase(request);
    const items = [
      { cursor: 1, kind: 'scan', day, id: ada, at },
      { cursor: 2, kind: 'correction', correction: correctionOf(ada) },
      {
        cursor: 3,
        kind: 'name',
        id: ada,
        name: { first: 'Ada', last: '' },
        stamp: { ms: at * 1_000, counter: 0, node: 'a' },
      },
      { cursor: 4, kind: 'correction', correction: correctionOf(bob) },
      { cursor: 5, kind: 'scan', day, id: bob, at },
    ];
    const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };
    const { refused } = await centre.push('hall', { run: 'run', after: 0, through: 5, items, status });
    expect(refused.every(({ code }) => code === 'TAG_ERASED')).to.equal(true);
    expect((await one.days.load(day))?.entries.map(({ id }) => id)).to.deep.equal([bob]);
    expect((await one.corrections.list(day, day)).map(({ id }) => id)).to.deep.equal([bob]);
    expect((await stamped.get([ada])).filter(({ name }) => name !== undefined)).to.deep.equal([]);
    await centre.close();
  });

  it('is not corrected any more', async () => {
    await one.erasures.erase(request);
    for (const moment of [at, until]) {
      const correction = { ...correctionOf(ada), at: moment };
      const refused = await other.corrections.correct([correction]).catch((error: unknown) => error);
      expect(isTallybookError(refused, 'INVALID_CORRECTION')).to.equal(true);
    }
    expect(await one.corrections.list(day, day)).to.deep.equal([]);
    const later = { ...correctionOf(ada), at: toTimestamp(until + 1) };
    expect(await other.corrections.correct([later])).to.have.lengthOf(1);
  });

  it('is of one of two backups that come at the same time, if there is room for one', async () => {
    const digits = (number: number): string => number.toString(16).padStart(32, '0');
    const count = ERASURE_KEYS_MAX - 1;
    const backup = (part: number): readonly Erasure[] =>
      Array.from({ length: count }, (_, n) => ({
        ...{ key: digits(part * count + n), digest: digits(n), from: at },
        ...{ until, expiresAt: request.expiresAt },
      }));
    const outcomes = await Promise.allSettled(
      [one, other].map(({ erasures }, part) => erasures.add(backup(part), timekeeper.now())),
    );
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused.map((error) => isTallybookError(error, 'TOO_MANY_ERASURE_KEYS'))).to.deep.equal([true]);
    for (const { erasures } of [one, other]) expect(await erasures.list()).to.have.lengthOf(count);
  });

  it('is told once when both erase at the same time', async () => {
    await one.days.record(day, ada, at);
    await Promise.all([one.erasures.erase(request), other.erasures.erase(request)]);
    expect(await one.days.load(day)).to.equal(undefined);
    const page = await one.journal.read(0, 100);
    const kinds = page.isKnown ? page.entries.map(({ change }) => change.kind) : [];
    expect(new Set(kinds)).to.deep.equal(new Set(['erased']));
    expect((await one.erasures.list()).every(({ state }) => state === 'removed')).to.equal(true);
  });

  it('is gone on with by the server that opens next', async () => {
    await one.days.record(day, ada, at);
    await leaveBegun(one);
    await other.close();
    await other.open();
    expect(await other.days.load(day)).to.equal(undefined);
    expect((await other.erasures.list()).map(({ state }) => state)).to.deep.equal(['removed']);
  });

  for (const way of ['opens', 'scrubs'] as const) {
    it(`leaves what is later to whoever has the tag then, if a server ${way} next`, async () => {
      const later = toTimestamp(until + 60);
      await one.days.record(day, ada, at);
      await leaveBegun(one);
      await one.days.record(day, ada, later);
      const names = one.stampedNames;
      const name = { first: 'Cyd', last: '' };
      await names.replace([{ id: ada, name, stamp: { ms: later * 1_000, counter: 0, node: 'hall' } }]);
      if (way === 'opens') {
        await other.close();
        await other.open();
      } else await other.erasures.scrub();
      expect((await names.get([ada]))[0]?.name).to.deep.equal(name);
      const page = await other.journal.read(0, 100);
      // It tells of what stays.
      const kinds = page.isKnown ? page.entries.map(({ change }) => change.kind) : [];
      expect(kinds).to.deep.equal(['scan', 'name', 'erased']);
      expect(await other.days.scans(day, ada)).to.deep.equal([later]);
      expect(await erasedIn(other)).to.have.lengthOf(1);
    });
  }

  it('is taken over when that is called again, at whichever write it was interrupted', async () => {
    const [source] = await open();
    await source.erasures.erase(request);
    const [taken] = await source.erasures.list();
    if (taken === undefined) throw new Error('nobody was erased');
    for (let writes = 0, isDone = false; !isDone; writes++) {
      const [one] = await open();
      await one.days.record(day, ada, at);
      const write = one.inner.write.bind(one.inner);
      let left = writes;
      one.inner.write = (work, rows) =>
        --left < 0 ? Promise.reject(new Error('the connection is gone')) : write(work, rows);
      isDone = await one.erasures.add([taken], until).then(
        () => true,
        () => false,
      );
      one.inner.write = write;
      await one.erasures.add([taken], until);
      expect(await one.days.load(day), `after ${writes} writes`).to.equal(undefined);
      expect(await erasedIn(one), `after ${writes} writes`).to.deep.equal([taken.digest]);
    }
  });

  it('is left to the server that erases it, by one that takes over others', async () => {
    await one.erasures.erase({ ...request, ids: [bob] });
    const [taken] = await one.erasures.list();
    if (taken === undefined) throw new Error('nobody was erased');
    await leaveBegun(one);
    await one.days.record(day, bob, toTimestamp(until + 60));
    const longer = { ...taken, until: toTimestamp(until + 30) };
    await other.erasures.add([longer], toTimestamp(until + 40));
    const states = new Map((await other.erasures.list()).map(({ digest, state }) => [digest, state]));
    expect(states.get(taken.digest)).to.equal('removed');
    states.delete(taken.digest);
    expect([...states.values()]).to.deep.equal(['begun']);
  });

  it('is not made shorter by a server that has not looked since', async () => {
    await one.erasures.erase(request);
    const [taken] = await one.erasures.list();
    if (taken === undefined) throw new Error('nobody was erased');
    await other.erasures.list();
    const longer = { ...taken, until: toTimestamp(until + 500) };
    // Between the look of the other one and its write.
    const write = other.inner.write.bind(other.inner);
    other.inner.write = async (work, rows) => {
      other.inner.write = write;
      await one.erasures.add([longer], toTimestamp(until + 500));
      return write(work, rows);
    };
    await other.erasures.add([{ ...taken, until: toTimestamp(until + 5) }], toTimestamp(until + 500));
    await other.erasures.erase({ ...request, until: toTimestamp(until + 6) });
    for (const { erasures } of [one, other]) {
      expect((await erasures.list()).map((erasure) => [erasure.until, erasure.state])).to.deep.equal([
        [longer.until, 'removed'],
      ]);
    }
  });
});
