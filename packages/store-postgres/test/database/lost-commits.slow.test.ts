import assert from 'node:assert/strict';
import { JournalConsumer, parseTallyId } from '@tallybook/domain';
import type { NewCorrection } from '@tallybook/domain/record';
import type { LostCommits } from '@tallybook/store-postgres';
import { ManualClock } from '@tallybook/testing';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { useOwnServer, useStorages } from '../fixtures/postgres.js';
import { day, at } from '../../../testing/test/fixtures/known-values.js';

const [ada, ben, cem] = ['04A2B3C4D5', '04A2B3C4D6', '04A2B3C4D7'].map((id) => parseTallyId(id)) as [
  ReturnType<typeof parseTallyId>,
  ReturnType<typeof parseTallyId>,
  ReturnType<typeof parseTallyId>,
];
const name = (first: string): { first: string; last: string } => ({ first, last: '' });

const addition: NewCorrection = {
  action: 'add',
  day,
  id: ada,
  at: at(0),
  reason: 'Forgot to tap',
  author: 'desk',
  madeAt: at(100),
  state: 'approved',
};

describe('A PostgreSQL that lost commits', () => {
  const server = useOwnServer();
  const storageOf = useStorages();
  let sites = 0;

  const open = (site = `s${sites++}`, onLost?: (lost: LostCommits) => void): Promise<InnerStorage> =>
    storageOf(`${server.url}?site=${site}`, onLost && { onLost });

  it('gives no revision again with other data: what is read is what was acknowledged after the loss', async () => {
    const { mapping: names } = await open();
    await names.put(ada, name('Ada'));
    let lostRevision = '';
    await server.losing(async () => {
      await names.put(ben, name('Ben'));
      lostRevision = await names.revision();
    });
    await names.put(cem, name('Cem'));
    assert.notEqual(await names.revision(), lostRevision);
    await using snapshot = await names.snapshot();
    assert.deepEqual(
      (await snapshot.page(undefined, 9)).map(([id]) => id),
      [ada, cem],
    );
  });

  it('tells a follower that has seen lost changes where the journal goes on, and no other', async () => {
    const { days, journal } = await open();
    await days.record(day, ada, at(0));
    const [behind, upToDate] = [0, await journal.latest()];
    let ahead = 0;
    await server.losing(async () => {
      await days.record(day, ben, at(1));
      ahead = await journal.latest();
    });
    const lost = await journal.read(ahead, 9);
    // If the server has already noticed the loss, it also says where the journal goes on.
    assert.ok(!lost.isKnown && lost.reason === 'ahead');
    await days.record(day, cem, at(2));
    const page = await journal.read(ahead, 9);
    assert.ok(!page.isKnown && page.reason === 'ahead' && page.next !== undefined);
    const idsAfter = async (cursor: number): Promise<readonly unknown[]> => {
      const read = await journal.read(cursor, 9);
      assert.ok(read.isKnown);
      return read.entries.map(({ change }) => 'id' in change && change.id);
    };
    assert.deepEqual(await idsAfter(page.next), [cem]);
    assert.deepEqual(await idsAfter(upToDate), [cem]);
    assert.deepEqual(await idsAfter(behind), [ada, cem]);
  });

  it('gives no cursor again after it was lost twice, although the copy knows of neither loss', async () => {
    const site = `s${sites++}`;
    const first = await open(site);
    await first.days.record(day, ada, at(0));
    let lost = 0;
    await server.losing(async () => {
      await server.losing(() => first.days.record(day, ben, at(1)));
      await first.days.record(day, ben, at(1));
      lost = await first.journal.latest();
    });
    // A server that has seen nothing of it.
    await first.close();
    const second = await open(site);
    await second.days.record(day, cem, at(2));
    assert.equal((await second.journal.read(lost, 1)).isKnown, false);
  });

  it('is reported with the revisions by the server whose last acknowledged write is missing, once', async () => {
    const lost: LostCommits[] = [];
    const { mapping: names } = await open(undefined, (each) => lost.push(each));
    await names.put(ada, name('Ada'));
    await server.losing(() => names.put(ben, name('Ben')));
    await names.put(cem, name('Cem'));
    await names.put(ben, name('Ben'));
    assert.deepEqual(
      lost.map(({ found }) => found),
      [1],
    );
    assert.ok((lost[0]?.acknowledged ?? 0) > 1);
  });

  it('is noticed by a server that only reads', async () => {
    const lost: LostCommits[] = [];
    const { mapping: names } = await open(undefined, (each) => lost.push(each));
    await names.put(ada, name('Ada'));
    await server.losing(() => names.put(ben, name('Ben')));
    await names.revision();
    while (lost.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(await names.get(ben), undefined);
  });

  it('gives no number of a correction again', async () => {
    const { corrections } = await open();
    const add = async (): Promise<number> => {
      await corrections.correct([{ ...addition, at: at(seconds++) }]);
      return Math.max(...(await corrections.list(day, day)).map(({ number }) => number));
    };
    let seconds = 0;
    await add();
    let lost = 0;
    await server.losing(async () => {
      lost = await add();
    });
    assert.notEqual(await add(), lost);
  });
});

describe('A PostgreSQL that was restarted and lost nothing', () => {
  const server = useOwnServer();
  const storageOf = useStorages();

  it('resets no follower, reports nothing, and goes on after the last change', async () => {
    const lost: LostCommits[] = [];
    const onLost = (each: LostCommits): unknown => lost.push(each);
    const { days, journal } = await storageOf(`${server.url}?site=calm`, { onLost });
    await days.record(day, ada, at(0));
    const before = await journal.latest();
    await server.end('SIGKILL');
    await server.resume();
    await days.record(day, ben, at(1));
    const page = await journal.read(before, 9);
    assert.ok(page.isKnown);
    assert.equal(page.entries.length, 1);
    assert.deepEqual(lost, []);
  });

  it('has no change that waits after the last one, although the numbers were raised twice', async () => {
    const { days, journal, inner } = await storageOf(`${server.url}?site=idle`);
    await days.record(day, ada, at(0));
    const before = await journal.latest();
    for (let restarts = 0; restarts < 2; restarts++) {
      await server.end('SIGKILL');
      await server.resume();
      // The first transaction through the new process: it changes nothing else.
      await inner.write((transaction) => transaction.locked());
    }
    assert.equal(await journal.latest(), before);
    await days.record(day, ben, at(1));
    assert.ok((await journal.latest()) > before + 1);
  });

  it('gives a follower whose position is too old all kept changes, also those before a gap', async () => {
    const { days, journal } = await storageOf(`${server.url}?site=slow`, { journal: { limit: 1_000 } });
    const record = (from: number, count: number): Promise<unknown> =>
      Promise.all(Array.from({ length: count }, (_, n) => days.record(day, ada, at(from + n))));
    for (let batch = 0; batch < 6; batch++) await record(200 * batch, 200);
    await server.end('SIGKILL');
    await server.resume();
    await record(1_200, 3);
    assert.equal(await journal.countAfter(1), 1_202);
    const handled: number[] = [];
    const resets: unknown[] = [];
    const latest = await journal.latest();
    await journal.advance('slow', 1);
    const consumer = new JournalConsumer({
      journal,
      clock: new ManualClock(),
      name: 'slow',
      afterReset: 'oldest',
      handle: (entries) => {
        handled.push(...entries.map(({ cursor }) => cursor));
        return Promise.resolve(entries.at(-1)?.cursor ?? 0);
      },
      onReset: (reason, next) => {
        resets.push(reason, next);
        return Promise.resolve();
      },
      onFault: (error) => assert.fail(String(error)),
    });
    await consumer.open();
    while (handled.at(-1) !== latest) await new Promise((resolve) => setTimeout(resolve, 10));
    await consumer.close();
    const [first = 0] = handled;
    assert.deepEqual(resets, ['too-old', first - 1]);
    assert.ok(first < 1_201);
    assert.deepEqual(
      handled.slice(0, -3),
      Array.from({ length: 1_201 - first }, (_, n) => first + n),
    );
  });
});
